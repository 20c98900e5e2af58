import type { SenderHop } from './sender.ts';
import type { EmlReport } from '../report/index.ts';
import { isSpecialUseName } from '@vedette/contract';
import { hasAntispamVerdict } from './antispam.ts';
import { believed, type Believed, type TraceField } from './believed.ts';
import { findBorder, org } from './border.ts';
import { type Hop, readHop } from './hop.ts';
import { senderOf } from './sender.ts';
import { verdictsOf, type Verdicts } from './verdicts.ts';

/** The path of a message by its header, as far as the receiver wrote it. */
export interface Trace {
  sender: SenderHop;
  /** Names of hosts that any Received field has for who sent, each once, from the top. */
  received_from: string[];
  authentication: Verdicts &
    Pick<EmlReport['security_details'], 'is_detected_by_server_antispam'> &
    Pick<EmlReport['headers'], 'authentication_results' | 'received_spf'>;
  tls_status: string;
}

/** Reads the trace of a message: its own header fields, in order. Linear in their length. */
export function readTrace(fields: readonly TraceField[]): Trace {
  const received = fields.flatMap(({ key, raw }, index) => (key === 'received' ? [{ index, hop: readHop(raw) }] : []));
  const { trusted, crossing } = findBorder(received.map(({ hop }) => hop));
  const evidence = believed(fields, received[trusted - 1]);
  const hops = received.slice(0, trusted).map(({ hop }) => hop);
  return {
    sender: senderOf({ fields, evidence, hops, crossing }),
    received_from: hostsOf(received.map(({ hop }) => hop)),
    authentication: {
      ...verdictsOf(evidence),
      is_detected_by_server_antispam: hasAntispamVerdict({ fields, evidence, hops }),
      authentication_results: resultsShown(fields, evidence),
      received_spf: textOf(fields.find(({ key }) => key === 'received-spf')?.raw ?? ''),
    },
    tls_status: crossing?.tls ?? '',
  };
}

const resultsShown = (fields: readonly TraceField[], { raws }: Believed): string =>
  raws.length > 0 ? raws.map(textOf).join('\n') : textOf(fields.find(({ key }) => key === 'authentication-results')?.raw ?? '');

/** A value without folds, as UTF-8 where it is that (RFC 8616). */
function textOf(raw: string): string {
  const text = Buffer.from(raw, 'latin1').toString('utf8');
  return (text.includes('\ufffd') ? raw : text)
    .split(/[ \t\r\n]+/)
    .join(' ')
    .trim();
}

const hostsOf = (hops: readonly Hop[]): string[] => [...new Set(hops.flatMap(({ helo, name }) => [helo, name]).filter(isHost))];

/** A name that may be one on the internet. */
const isHost = (name: string): boolean => org(name) !== '' && !isSpecialUseName(name);
