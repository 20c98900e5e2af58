import type { DnsRecord } from '@vedette/contract';
import { presentRecord, quoteDecoded } from '@vedette/probes/dns';

/** A record as dnssec-status shows it. */
export interface PresentedRecord {
  name: string;
  type: string;
  ttl: number;
  /** RDATA as in a zone file, names without the trailing dot. */
  data: string;
}

export const present = (record: DnsRecord): PresentedRecord => ({
  name: record.name,
  type: record.type,
  ttl: record.ttl,
  data: dataText(record),
});

/** The types that other reports show as objects, in the order of a zone file; the rest is a line already. */
function dataText(record: DnsRecord): string {
  if (record.type === 'SRV') {
    const { priority, weight, port, target } = record.data;
    return [priority, weight, port, target].join(' ');
  }
  if (record.type === 'CAA') {
    const { flags, tag, value } = record.data;
    return `${flags} ${tag} ${quoteDecoded(value)}`;
  }
  const presented = presentRecord(record);
  return typeof presented === 'string' ? presented : Object.values(presented).join(' ');
}
