import { type DnsAnswer, recordsOf } from '@vedette/contract';
import type { Engine } from './engine.ts';

/** A zone's answer about one name. `unknown`: it did not say, and why. */
export type Verdict =
  | { state: 'listed'; meanings: readonly string[]; doubtful: boolean }
  | { state: 'clean'; meanings: readonly string[] }
  | { state: 'unknown'; why: string };

/**
 * Reads an answer of a DNSBL (RFC 5782 §2). An error code is not a listing. A code outside 127.0.0.0/8 was inserted by a middlebox;
 * 127.0.0.1 and 127.255.255.0/24 say that we are refused; a code missing from the engine's table has no known meaning.
 */
export function readCodes(engine: Pick<Engine, 'codes' | 'bits' | 'notices' | 'doubtful'>, answer: DnsAnswer): Verdict {
  const listed = answersOf(answer);
  if ('why' in listed) return { state: 'unknown', why: listed.why };
  const { codes } = listed;
  if (codes.length === 0) return { state: 'clean', meanings: [] };
  return readMeanings(engine, codes);
}

/** Reads the codes of an entry, heard or in a file of the zone. */
export function readMeanings(engine: Pick<Engine, 'codes' | 'bits' | 'notices' | 'doubtful'>, codes: readonly string[]): Verdict {
  const read = codes.map((code) => ({ code, ...meaningOf(engine, code) }));
  if (engine.bits && codes.some((code) => Number(code.split('.')[3]) & 1))
    return { state: 'unknown', why: `it refuses our questions (${codes[0]})` };
  const listings = read.flatMap(({ listing, code }) => (listing === undefined ? [] : [{ listing, code }]));
  const notices = read.flatMap(({ notice }) => notice ?? []);
  const meanings = [...new Set([...listings.flatMap(({ listing }) => listing), ...notices])];
  if (listings.length > 0) {
    const doubtful = listings.every(({ code }) => engine.doubtful?.some((pattern) => fits(pattern, code)));
    return { state: 'listed', meanings, doubtful };
  }
  return notices.length > 0
    ? { state: 'clean', meanings }
    : { state: 'unknown', why: `it answered ${codes[0]}, which is no listing that we know` };
}

/** Whether it is some listing, by form alone: that of a test entry may have a code of its own. */
export const isListing = (answer: DnsAnswer): boolean => {
  const listed = answersOf(answer);
  return 'codes' in listed && listed.codes.length > 0;
};

/** Whether it says that the name is not listed. */
export const isDenial = (answer: DnsAnswer): boolean => {
  const listed = answersOf(answer);
  return 'codes' in listed && listed.codes.length === 0;
};

/** The codes of an answer, none for a denial; or why it is neither. */
function answersOf(answer: DnsAnswer): { codes: string[] } | { why: string } {
  const { rcode, authorities } = answer;
  if (rcode === 'NXDOMAIN') return { codes: [] };
  if (rcode !== 'NOERROR') return { why: `it answered ${rcode}` };
  const codes = recordsOf(answer, 'A').map(({ data }) => data);
  const isReferral = codes.length === 0 && authorities.some(({ type }) => type === 'NS') && !authorities.some(({ type }) => type === 'SOA');
  if (isReferral) return { why: 'its server does not serve the zone' };
  const wrong = codes.find((code) => refusal(code));
  return wrong === undefined ? { codes } : { why: refusal(wrong)! };
}

function refusal(code: string): string | undefined {
  if (!code.startsWith('127.')) return `something in between answered ${code} instead of it`;
  if (code === '127.0.0.1' || code.startsWith('127.255.255.')) return `it refuses our questions (${code})`;
  return undefined;
}

function meaningOf(
  { codes, bits, notices }: Pick<Engine, 'codes' | 'bits' | 'notices'>,
  code: string,
): { listing?: string[]; notice?: string } {
  const listing = entryOf(codes, code);
  if (listing !== undefined) return { listing: [listing] };
  if (bits && code.startsWith('127.0.0.')) {
    const set = Object.entries(bits).filter(([bit]) => Number(code.split('.')[3]) & Number(bit));
    if (set.length > 0) return { listing: set.map(([, meaning]) => meaning) };
  }
  const notice = entryOf(notices, code);
  return notice === undefined ? {} : { notice };
}

function entryOf(table: Readonly<Record<string, string>> | undefined, code: string): string | undefined {
  return table?.[code] ?? Object.entries(table ?? {}).find(([pattern]) => fits(pattern, code))?.[1];
}

/** Whether a code is one of a table's, which may be a range of the last octet. */
function fits(pattern: string, code: string): boolean {
  const [lead, range] = lastOctet(pattern);
  const [codeLead, octet] = lastOctet(code);
  const [from, to = from] = range.split('-').map(Number);
  return lead === codeLead && from! <= Number(octet) && Number(octet) <= to!;
}

function lastOctet(code: string): [lead: string, octet: string] {
  const dot = code.lastIndexOf('.');
  return [code.slice(0, dot), code.slice(dot + 1)];
}
