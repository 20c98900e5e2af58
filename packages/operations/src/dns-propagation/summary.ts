import type { Reply } from '@vedette/contract';
import { dns, type DnsTypeName, type PresentedRecord } from '@vedette/probes/dns';
import { type Static, Type } from 'typebox';
import type { AuthoritativeAnswer } from './authoritative.ts';

export const Records = dns.result.properties.answers.items.properties.records;

export const TypeSummary = Type.Object({
  dns_type: Type.String(),
  locations_answered: Type.Integer(),
  agreeing_locations: Type.Integer({ description: 'In the largest group with one answer' }),
  distinct_answers: Type.Integer(),
  answers: Type.Array(
    Type.Object({
      records: Records,
      locations: Type.Array(Type.String()),
      authoritative: Type.Boolean({ description: "One of the zone's own servers says the same" }),
    }),
  ),
  soa_serial_spread: Type.Optional(Type.Integer({ description: 'Newest serial minus oldest, RFC 1982; for SOA' })),
  authoritative: Type.Array(Type.Object({ server: Type.String(), address: Type.String(), status: Type.String(), records: Records })),
});
export type TypeSummary = Static<typeof TypeSummary>;

/**
 * Per type: how many locations agree, who says what, how far SOA serials are apart (RFC 1982 distance), and what the
 * zone's own servers say. A location that could not look the type up is not counted as an answer; "no such record" is one.
 */
export function summarise(
  types: readonly DnsTypeName[],
  replies: readonly Reply<Static<(typeof dns)['result']>>[],
  authoritative: readonly AuthoritativeAnswer[],
): TypeSummary[] {
  return types.map((dns_type) => {
    const official = authoritative.filter((answer) => answer.dns_type === dns_type);
    const current = new Set(official.filter(({ status }) => ANSWERS.has(status)).map(({ records }) => JSON.stringify(records)));
    const groups = new Map<string, { records: PresentedRecord[]; locations: string[]; authoritative: boolean }>();
    for (const { location, result } of replies) {
      const answer = result?.answers.find((each) => each.dns_type === dns_type);
      if (!answer || !ANSWERS.has(answer.rcode)) continue;
      const key = JSON.stringify(answer.records);
      const group = groups.get(key) ?? { records: answer.records, locations: [], authoritative: current.has(key) };
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
    };
  });
}

/** NXDOMAIN is an answer too: the name is not there. */
const ANSWERS = new Set(['NOERROR', 'NXDOMAIN']);

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
