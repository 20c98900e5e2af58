import { formatIp, parseIp, shown } from '@vedette/contract';
import { compileLines, DomainList } from '../../names/index.ts';
import type { TorRelay, TorRelays } from '../../ports/index.ts';
import { defineDataset } from '../define.ts';
import { bytesOf, noPause } from '../rows.ts';
import { accused } from './address-list.ts';

/** Name of the list of addresses, and of the file of details beside it. */
const TOR_RELAYS = 'tor-relays';
/** Relays tell what they like of themselves. */
const TEXT_MAX = 200;
const FLAGS_MAX = 16;
/** Relays that one address may have; the directory authorities admit eight. */
const PER_ADDRESS_MAX = 8;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string => (typeof value === 'string' ? shown(value, TEXT_MAX).trim() : '');
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf).filter((text) => text !== '') : []);

/** The addresses of a relay, in their canonical form: `192.0.2.1:9001`, `[2001:db8::1]:9001`, `192.0.2.1`. */
const addressesOf = (relay: Record<string, unknown>): string[] =>
  [...textsOf(relay['or_addresses']), ...textsOf(relay['exit_addresses'])].flatMap((text) => {
    const ip = parseIp(/^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1'));
    return ip ? [formatIp(ip)] : [];
  });

/** A relay of Onionoo's details; undefined without a fingerprint. Onionoo leaves out what it does not know. */
function relayOf(relay: Record<string, unknown>): TorRelay | undefined {
  const fingerprint = textOf(relay['fingerprint']);
  if (!/^[0-9A-F]{40}$/.test(fingerprint)) return undefined;
  const policy = isObject(relay['exit_policy_summary']) ? relay['exit_policy_summary'] : {};
  const [rule] = ['accept', 'reject'].filter((word) => Array.isArray(policy[word]));
  return {
    nickname: textOf(relay['nickname']),
    fingerprint,
    flags: textsOf(relay['flags']).slice(0, FLAGS_MAX),
    exit_policy: rule === undefined ? '' : shown(`${rule} ${textsOf(policy[rule]).join(',')}`, TEXT_MAX),
    first_seen: textOf(relay['first_seen']),
    last_seen: textOf(relay['last_seen']),
    asn: Number(/^AS(\d{1,10})$/.exec(textOf(relay['as']))?.[1] ?? 0),
    as_name: textOf(relay['as_name']),
    country_code: textOf(relay['country']).toUpperCase(),
    contact: textOf(relay['contact']),
  };
}

/** The lines of a document of Onionoo: an address, and behind a tab its relays as JSON. */
function relayLines(document: unknown): Promise<Uint8Array> {
  const byAddress = new Map<string, TorRelay[]>();
  const relays: unknown = isObject(document) ? document['relays'] : undefined;
  for (const entry of Array.isArray(relays) ? relays : []) {
    const relay = isObject(entry) ? relayOf(entry) : undefined;
    if (!relay) continue;
    for (const address of new Set(addressesOf(entry as Record<string, unknown>))) {
      const known = byAddress.get(address) ?? [];
      if (known.length < PER_ADDRESS_MAX) byAddress.set(address, [...known, relay]);
    }
  }
  return compileLines(
    Array.from(byAddress, ([address, found]) => `${address}\t${JSON.stringify(found)}`),
    noPause,
  );
}

/** Reads relays from the lines that are in use now; none without lines. */
export function torRelaysIn(documents: { bytes(name: string): Uint8Array | undefined }): TorRelays {
  let read: { bytes: Uint8Array; list: DomainList } | undefined;
  return {
    of(address) {
      const bytes = documents.bytes(TOR_RELAYS);
      if (!bytes || bytes.length === 0) return [];
      if (read?.bytes !== bytes) read = { bytes, list: new DomainList(bytes) };
      const line = read.list.labelOf(address);
      return line === undefined ? [] : (JSON.parse(line) as TorRelay[]);
    },
  };
}

const LENGTH_OCTETS = 4;

/** Running relays of Tor: a list of their addresses, and what is known of each. A snapshot is the length of the first, and both. */
export const torRelays = defineDataset({
  name: 'tor_relays',
  rules: 3, // the feed was of another dataset, with 2
  async build(file, feed) {
    const { bytes: list, ...counts } = await accused(file, feed);
    if (list.length === 0) return { ...counts, bytes: list };
    const details = await relayLines(JSON.parse((await bytesOf(file)).toString('utf8')));
    const length = Buffer.alloc(LENGTH_OCTETS);
    length.writeUInt32LE(list.length);
    return { ...counts, bytes: Buffer.concat([length, list, details]) };
  },
  open: ({ networks, documents }) => ({
    async use(_feed, snapshot) {
      const end = LENGTH_OCTETS + Buffer.from(snapshot.buffer, snapshot.byteOffset, LENGTH_OCTETS).readUInt32LE();
      // A copy, since the columns of a list begin at whole words.
      await networks.setList(TOR_RELAYS, snapshot.slice(LENGTH_OCTETS, end));
      documents.set(TOR_RELAYS, snapshot.subarray(end));
    },
    async drop() {
      documents.set(TOR_RELAYS, undefined);
      await networks.setList(TOR_RELAYS, undefined);
    },
  }),
});
