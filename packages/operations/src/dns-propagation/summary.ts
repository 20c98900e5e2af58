import type { Reply } from '../kit/index.ts';
import { dns, type DnsTypeName, type PresentedRecord } from '@vedette/probes/dns';
import { type Static, Type } from 'typebox';
import { isDefinite, SERVER_OUTCOMES } from '../shared/names/zone-servers.ts';
import type { AuthoritativeAnswer } from './authoritative.ts';

export const Records = Type.Unsafe<PresentedRecord[]>({
  ...dns.result.properties.answers.items.properties.records,
  title: 'PresentedRecords',
  description: 'Records, sorted: text for most types; objects for SOA, SRV, CAA and other types with several fields',
});

export const TypeSummary = Type.Object({
  dns_type: Type.String({ description: 'Queried record type' }),
  locations_answered: Type.Integer({ description: 'Number of locations whose resolver answered, including answers without records' }),
  agreeing_locations: Type.Integer({ description: 'Number of locations in the largest group with the same answer' }),
  distinct_answers: Type.Integer({ description: 'Number of different answers; 1 means that all agree' }),
  answers: Type.Array(
    Type.Object({
      status: Type.String({ description: 'Outcome: NOERROR (without records: the name has none of this type) or NXDOMAIN' }),
      records: Records,
      locations: Type.Array(Type.String(), { description: 'Ids of the locations that received this answer' }),
      authoritative: Type.Boolean({ description: "At least one of the zone's own servers gives the same answer" }),
    }),
    { description: 'Answers and their locations, largest group first' },
  ),
  soa_serial_spread: Type.Optional(Type.Integer({ description: 'Newest SOA serial minus the oldest (RFC 1982); only for SOA' })),
  authoritative: Type.Array(
    Type.Object({
      server: Type.String({ description: "Host name of the zone's server" }),
      address: Type.String({ description: "Queried address of the zone's server" }),
      status: Type.String({ description: `DNS response code, ${SERVER_OUTCOMES} (address not allowed)` }),
      records: Records,
    }),
    { description: "Answers of the zone's own servers" },
  ),
  authoritative_error: Type.String({
    description: "Reason why the zone's own servers are missing from the comparison; empty if one of them answered",
  }),
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

/** Equal for equal answers. A name that does not exist differs from one that exists without such records. */
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
