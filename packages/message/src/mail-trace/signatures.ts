import type { SignatureFacts } from '../report/index.ts';
import { parseHost } from '@vedette/contract';
import { parseTagList, tagValue } from '@vedette/mail/tag-list';

/** No name of the DNS is longer. */
const NAME_MAX_CHARS = 253;

/** Reads DKIM-Signature fields (RFC 6376 §3.5) as they stand. */
export const readSignatures = (raws: readonly string[]): SignatureFacts[] => raws.map(readSignature);

function readSignature(raw: string): SignatureFacts {
  const list = parseTagList(raw);
  const tag = (name: string): string => tagValue(list, name) ?? '';
  const packed = (name: string): string => tag(name).replace(/[ \t\r\n]+/g, '');
  return {
    signature: packed('b'),
    selector: packed('s').slice(0, NAME_MAX_CHARS).toLowerCase(),
    domain: domainOf(packed('d')),
    algo: packed('a').toLowerCase(),
    canon: (packed('c') || 'simple/simple').toLowerCase(),
    hash: packed('bh'),
  };
}

/** Written in UTF-8 where it is not in A-labels (RFC 8616 §5). */
function domainOf(written: string): string {
  const text = Buffer.from(written.slice(0, 4 * NAME_MAX_CHARS), 'latin1').toString('utf8');
  return parseHost(text)?.host ?? text.slice(0, NAME_MAX_CHARS).toLowerCase();
}
