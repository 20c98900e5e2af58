import type { DnsRecord, DnsRecordOf } from '@vedette/contract';
import { type Name, nameOf, nameText, sameName } from './names.ts';

/** The records of one owner and type, and the signatures that came with them (RFC 2181 §5). */
export interface RRset {
  name: Name;
  type: string;
  records: DnsRecord[];
  signatures: DnsRecordOf<'RRSIG'>[];
}

/** Groups a section. Signatures whose records are not there form no set. */
export function rrsetsOf(section: readonly DnsRecord[]): RRset[] {
  const sets = new Map<string, RRset>();
  // By the text, which is one for each name as the resolver writes it: reading thousands of long, escaped ones again would cost too much.
  const setOf = (record: DnsRecord, type: string): RRset => {
    const key = `${record.name} ${type}`;
    const set = sets.get(key) ?? { name: nameOf(record.name), type, records: [], signatures: [] };
    sets.set(key, set);
    return set;
  };
  for (const record of section) {
    if (record.type === 'RRSIG') {
      const signature = record as DnsRecordOf<'RRSIG'>;
      setOf(record, signature.data.typeCovered).signatures.push(signature);
    } else setOf(record, record.type).records.push(record);
  }
  return [...sets.values()].filter((set) => set.records.length > 0);
}

export const findSet = (sets: readonly RRset[], name: Name, type: string): RRset | undefined =>
  sets.find((set) => set.type === type && sameName(set.name, name));

/** `example.org MX`, as reasons name a link. */
export const linkText = (name: Name, type: string): string => `${nameText(name)} ${type}`;
