import { type Members, objectsOf, plainText } from '../report/shape.ts';

/** One distinct answer: who gave it. */
export interface Answer {
  status: string;
  records: readonly string[];
  locations: ReadonlySet<string>;
  /** How many of the zone's own servers gave it. */
  servers: number;
}

/** The answers about one type of record. */
export interface Agreement {
  type: string;
  answers: readonly Answer[];
  servers: number;
  /** Reason why the zone's servers could not be asked. */
  error: string;
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? (value as unknown[]).map(plainText) : []);
const keyOf = ({ status, records }: Members): string => JSON.stringify([plainText(status), ...texts(records).sort()]);

/** Each type's answers, those of most locations first; an answer that only the zone's servers give is one, too. */
export function agreementsOf(report: Members): Agreement[] {
  return objectsOf(report['summary']).map((summary) => {
    const authoritative = objectsOf(summary['authoritative']);
    const zone = Map.groupBy(authoritative, keyOf);
    const seen = objectsOf(summary['answers']).map((answer): Answer => {
      const key = keyOf(answer);
      const servers = zone.get(key)?.length ?? 0;
      zone.delete(key);
      return {
        status: plainText(answer['status']),
        records: texts(answer['records']),
        locations: new Set(texts(answer['locations'])),
        servers,
      };
    });
    const unseen = [...zone.values()].map((servers): Answer => ({
      status: plainText(servers[0]!['status']),
      records: texts(servers[0]!['records']),
      locations: new Set(),
      servers: servers.length,
    }));
    return {
      type: plainText(summary['dns_type']),
      answers: [...seen, ...unseen].sort((a, b) => b.locations.size - a.locations.size),
      servers: authoritative.length,
      error: plainText(summary['authoritative_error']),
    };
  });
}
