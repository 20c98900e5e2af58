import type { SenderHop } from './sender.ts';
import type { EmlReport } from '../report/index.ts';
import { isSpecialUseName, shown } from '@vedette/contract';
import { hasAntispamVerdict } from './antispam.ts';
import { believed, type Believed, type TraceField } from './believed.ts';
import { findBorder, org } from './border.ts';
import { type Hop, readHop } from './hop.ts';
import { parseDate } from '../mime/index.ts';
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
  hops: EmlReport['hops'];
  /** There are more Received fields than `hops`. */
  has_more_hops: boolean;
}

/** Servers count 25 to 100 Received fields before they take a message for one that goes in a circle (RFC 5321 §6.3). */
const HOPS_MAX = 100;

/** Reads the trace of a message: its own header fields, in order. Linear in their length. */
export function readTrace(fields: readonly TraceField[]): Trace {
  const received = fields.flatMap(({ key, raw }, index) => (key === 'received' ? [{ index, raw, hop: readHop(raw) }] : []));
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
    hops: hopsShown(received.slice(0, HOPS_MAX), trusted),
    has_more_hops: received.length > HOPS_MAX,
  };
}

/** Received fields, given from the top, in the order of time. */
function hopsShown(received: readonly { raw: string; hop: Hop }[], trusted: number): EmlReport['hops'] {
  const dates = received.map(({ raw }) => parseDate(raw.slice(raw.lastIndexOf(';') + 1))?.iso ?? '');
  return received
    .map(({ hop }, i) => ({
      helo: shown(hop.helo, NAME_MAX_CHARS),
      hostname: shown(hop.name, NAME_MAX_CHARS),
      ip_address: hop.address,
      by: shown(hop.by, NAME_MAX_CHARS),
      protocol: shown(hop.protocol, PROTOCOL_MAX_CHARS),
      tls: hop.tls,
      date_time_normalized: dates[i]!,
      delay_s: secondsBetween(dates[i + 1] ?? '', dates[i]!),
      is_of_recipient: i < trusted,
    }))
    .toReversed();
}

const NAME_MAX_CHARS = 255;
const PROTOCOL_MAX_CHARS = 100;

/** 0 where a time or its zone (RFC 5322 §3.3, `-0000`) is not known. */
function secondsBetween(from: string, to: string): number {
  if ([from, to].some((date) => date === '' || date.endsWith('-00:00'))) return 0;
  return Math.round((Date.parse(to) - Date.parse(from)) / 1_000);
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
