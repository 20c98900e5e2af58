import type { EmlReport } from '../report/index.ts';
import { parseHost } from '@vedette/contract';
import { parseTagList, tagValue } from '@vedette/mail/tag-list';

type Signature = EmlReport['headers']['dkim_signatures'][number];

/** No name of the DNS is longer. */
const NAME_MAX_CHARS = 253;

/** Reads DKIM-Signature fields (RFC 6376 §3.5) as they stand. The results of looking up their keys are still empty. */
export const readSignatures = (raws: readonly string[]): Signature[] => raws.map(readSignature);

function readSignature(raw: string): Signature {
  const list = parseTagList(raw);
  const tag = (name: string): string => tagValue(list, name) ?? '';
  const packed = (name: string): string => tag(name).replace(/[ \t\r\n]+/g, '');
  return {
    signature: packed('b'),
    selector: packed('s').slice(0, NAME_MAX_CHARS).toLowerCase(),
    domain: domainOf(packed('d')),
    algo: packed('a').toLowerCase(),
    key_type: '',
    canon: (packed('c') || 'simple/simple').toLowerCase(),
    hash: packed('bh'),
    key_bits: 0,
    dnssec: false,
    dns_error: '',
  };
}

/** Written in UTF-8 where it is not in A-labels (RFC 8616 §5). */
function domainOf(written: string): string {
  const text = Buffer.from(written.slice(0, 4 * NAME_MAX_CHARS), 'latin1').toString('utf8');
  return parseHost(text)?.host ?? text.slice(0, NAME_MAX_CHARS).toLowerCase();
}
