import type { Reply } from '@vedette/contract';
import { dns, type DnsTypeName, type PresentedRecord } from '@vedette/probes/dns';
import { type Static, Type } from 'typebox';
import { isDefinite, SERVER_OUTCOMES } from '../shared/names/zone-servers.ts';
import type { AuthoritativeAnswer } from './authoritative.ts';

export const Records = Type.Unsafe<PresentedRecord[]>({
  ...dns.result.properties.answers.items.properties.records,
  title: 'PresentedRecords',
  description:
    'Sorted. Text for most types; objects for SOA (mname, rname, serial, refresh, retry, expire, minttl), SRV (port, priority, weight, target) and CAA (flag, tag, value), and for types of several fields',
});

export const TypeSummary = Type.Object({
  dns_type: Type.String({ description: 'The type asked for' }),
  locations_answered: Type.Integer({ description: 'Locations whose resolver answered; that there is no record is an answer' }),
  agreeing_locations: Type.Integer({ description: 'In the largest group with one answer' }),
  distinct_answers: Type.Integer({ description: 'One: all who answered agree' }),
  answers: Type.Array(
    Type.Object({
      status: Type.String({ description: 'NOERROR (no records: the name has none of this type) or NXDOMAIN' }),
      records: Records,
      locations: Type.Array(Type.String(), { description: 'Ids of the locations that gave it' }),
      authoritative: Type.Boolean({ description: "One of the zone's own servers says the same" }),
    }),
    { description: 'Who says what, the largest group first' },
  ),
  soa_serial_spread: Type.Optional(Type.Integer({ description: 'Newest serial minus oldest, RFC 1982; for SOA' })),
  authoritative: Type.Array(
    Type.Object({
      server: Type.String({ description: 'Its name' }),
      address: Type.String({ description: 'The address that was asked' }),
      status: Type.String({ description: `An rcode, ${SERVER_OUTCOMES} (its address is none that we contact)` }),
      records: Records,
    }),
    { description: "What the zone's own servers say" },
  ),
  authoritative_error: Type.String({ description: "Why nothing is known from the zone's own servers; empty when one of them answered" }),
});
export type TypeSummary = Static<typeof TypeSummary>;

/**
 * Per type: how many locations agree, who says what, how far SOA serials are apart (RFC 1982 distance), and what the
 * zone's own servers say. A location that could not look the type up is not counted as an answer; "no such record" and "no such name" are two different ones.
 */
export function summarise(
  types: readonly DnsTypeName[],
  replies: readonly Reply<Static<(typeof dns)['result']>>[],
  authoritative: readonly AuthoritativeAnswer[],
): TypeSummary[] {
  return types.map((dns_type) => {
    const official = authoritative.filter((answer) => answer.dns_type === dns_type);
    const current = new Set(official.filter(({ status }) => isDefinite(status)).map(keyOf));
    const groups = new Map<string, { status: string; records: PresentedRecord[]; locations: string[]; authoritative: boolean }>();
    for (const { location, result } of replies) {
      const answer = result?.answers.find((each) => each.dns_type === dns_type);
      if (!answer || !isDefinite(answer.rcode)) continue;
      const { rcode: status, records } = answer;
      const key = keyOf({ status, records });
      const group = groups.get(key) ?? { status, records, locations: [], authoritative: current.has(key) };
      group.locations.push(location.id);
      groups.set(key, group);
    }
    const answers = [...groups.values()].toSorted((a, b) => b.locations.length - a.locations.length);
    return {
      dns_type,
      locations_answered: answers.reduce((sum, { locations }) => sum + locations.length, 0),
      agreeing_locations: answers[0]?.locations.length ?? 0,
      distinct_answers: answers.length,
      answers,
      ...(dns_type === 'SOA' && { soa_serial_spread: serialSpread(answers.flatMap(({ records }) => records)) }),
      authoritative: official.map(({ server, address, status, records }) => ({ server, address, status, records })),
      authoritative_error: silenceOf(official),
    };
  });
}

/** Equal for equal answers. A name that does not exist is none that exists without such records. */
const keyOf = ({ status, records }: { status: string; records: readonly PresentedRecord[] }): string => JSON.stringify([status, records]);

function silenceOf(official: readonly AuthoritativeAnswer[]): string {
  if (official.length === 0) return "The zone's own servers could not be found";
  if (official.every(({ status }) => status === 'NOT_ASKED'))
    return "None of the zone's own servers was asked: we do not contact their addresses";
  return official.some(({ status }) => isDefinite(status)) ? '' : "None of the zone's own servers answered for it";
}

const SERIAL_SPACE = 2 ** 32;

/** How far the newest serial is ahead of the oldest, counted around the circle of RFC 1982. */
function serialSpread(records: readonly PresentedRecord[]): number {
  const serials = records.flatMap((record) =>
    typeof record === 'object' && typeof record['serial'] === 'number' ? [record['serial']] : [],
  );
  const ahead = (from: number) => Math.max(0, ...serials.map((serial) => (serial - from + SERIAL_SPACE) % SERIAL_SPACE));
  // From the oldest serial every other one is ahead by less than half the circle.
  return serials.length === 0 ? 0 : Math.min(...serials.map(ahead));
}
