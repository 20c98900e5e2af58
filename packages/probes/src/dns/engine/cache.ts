import { BoundedMap, type Clock, type DnsAnswer, type DnsRecord } from '@vedette/contract';

const MAX_TTL_S = 86_400;
const MAX_NEGATIVE_TTL_S = 10_800; // RFC 2308 §5: no more than three hours
/** Limit on the memory that answers take, roughly. */
const MAX_OCTETS = 32 * 1024 * 1024;
const ANSWER_OCTETS = 512;
const RECORD_OCTETS = 256;

interface Entry {
  answer: DnsAnswer;
  stored: number;
  expires: number;
  octets: number;
}

/** Answers for as long as their TTLs allow, the least recently used leaving first. Only what a resolver said for certain is kept. */
export class AnswerCache {
  readonly #clock: Clock;
  readonly #entries = new BoundedMap<string, Entry>(MAX_OCTETS, ({ octets }) => octets);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A kept answer, its TTLs counted down. */
  get(key: string): DnsAnswer | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const now = this.#clock.now();
    if (entry.expires <= now) {
      this.#entries.delete(key);
      return undefined;
    }
    this.#entries.set(key, entry); // now the one used last
    const age = Math.floor((now - entry.stored) / 1000);
    const aged = (records: DnsRecord[]) => records.map((record) => ({ ...record, ttl: Math.max(0, record.ttl - age) }));
    const { answer } = entry;
    return {
      ...answer,
      answers: aged(answer.answers),
      authorities: aged(answer.authorities),
      additionals: aged(answer.additionals),
      cached: true,
      age_s: age,
    };
  }

  /** Whether there is an answer, which a resolver that was asked has still as well. */
  holds(key: string): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.expires > this.#clock.now();
  }

  /** Keeps an answer to a question of this type, if it may be kept. */
  put(key: string, type: string, answer: DnsAnswer): void {
    const ttl = cacheTtl(type, answer);
    if (ttl <= 0) return;
    const stored = this.#clock.now();
    this.#entries.set(key, { answer, stored, expires: stored + ttl * 1000, octets: sizeOf(answer) });
  }
}

function sizeOf({ answers, authorities, additionals }: DnsAnswer): number {
  let octets = ANSWER_OCTETS;
  for (const records of [answers, authorities, additionals])
    for (const record of records) octets += RECORD_OCTETS + 3 * record.rdata.length;
  return octets;
}

/** Seconds that an answer may be kept: its smallest TTL, for a denial that of its SOA (RFC 2308 §3, §5), else 0. */
function cacheTtl(type: string, { rcode, answers, authorities }: DnsAnswer): number {
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') return 0;
  const ttl = answers.reduce((least, record) => Math.min(least, record.ttl), MAX_TTL_S);
  if (rcode === 'NOERROR' && answers.some((record) => record.type === type)) return ttl;
  const soa = authorities.find((record) => record.type === 'SOA');
  return soa ? Math.min(ttl, soa.ttl, soa.data.minimum, MAX_NEGATIVE_TTL_S) : 0;
}
