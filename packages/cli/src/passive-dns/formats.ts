import type { LineReader, ReaderOptions, Row } from './row.ts';
import { isIPv4 } from './is-ipv4.ts';
import { zoneReader } from './zone.ts';

export const FORMATS = ['cof', 'csv', 'zone'] as const;
export type Format = (typeof FORMATS)[number];

export const READERS: Record<Format, (options: ReaderOptions) => LineReader> = { cof: () => cofLine, csv: csvReader, zone: zoneReader };

/** The format of a file, guessed from its first meaningful line. */
export function formatOf(line: string): Format {
  if (line.startsWith('{')) return 'cof';
  return /^[$;]|\s(?:SOA|NS|A|AAAA|MX|TXT|CNAME|DS)\s/i.test(line) ? 'zone' : 'csv';
}

const A = 1;
/** The largest number that is read as seconds; larger ones are milliseconds. */
const MAX_SECONDS = 100_000_000_000;

/** A line of the Passive DNS Common Output Format (draft-dulaunoy-dnsop-passive-dns-cof): a JSON object. */
function cofLine(line: string): readonly Row[] | undefined {
  if (line.trim() === '') return [];
  let record: Partial<Record<string, unknown>>;
  try {
    record = JSON.parse(line) as typeof record;
  } catch {
    return undefined;
  }
  const { rrname, rrtype, rdata, time_last = record?.zone_time_last } = record ?? {};
  if (typeof rrname !== 'string' || (typeof rrtype !== 'string' && typeof rrtype !== 'number')) return undefined;
  if (rrtype !== A && String(rrtype).toUpperCase() !== 'A') return [];
  const seen = epoch(time_last);
  const addresses: unknown[] = Array.isArray(rdata) ? rdata : [rdata];
  if (seen === undefined || !addresses.every((address) => typeof address === 'string' && isIPv4(address))) return undefined;
  return addresses.map((address) => ({ name: rrname, address: String(address), seen }));
}

/** Epoch seconds of a time as files write it: seconds, milliseconds, or a date; undefined for other texts. */
function epoch(time: unknown): number | undefined {
  if (typeof time === 'string' && !/^\d+(?:\.\d+)?$/.test(time)) {
    const ms = /^\d{4}-\d\d-\d\d/.test(time) ? Date.parse(time) : Number.NaN;
    return ms >= 0 ? Math.floor(ms / 1000) : undefined;
  }
  const number = Number(time ?? Number.NaN);
  if (!(number >= 0)) return undefined;
  return Math.floor(number > MAX_SECONDS ? number / 1000 : number);
}

const NAME_COLUMNS = ['name', 'domain', 'host', 'hostname', 'rrname', 'query', 'qname', 'fqdn'];
const ADDRESS_COLUMNS = ['address', 'ip', 'ipv4', 'rdata', 'answer', 'value', 'ip_address'];
const TIME_COLUMNS = ['last_seen', 'lastseen', 'time_last', 'updated', 'seen', 'date', 'timestamp', 'time', 'last'];
const TYPE_COLUMNS = ['rrtype', 'type'];

interface Columns {
  name: number;
  address: number;
  time: number;
  type: number;
}

/** Lines of names, addresses and times, with a head that names them or in that order; commas, semicolons or tabs between. */
function csvReader({ seen: otherwise }: ReaderOptions): LineReader {
  let columns: Columns | undefined;
  return (line) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const fields = fieldsOf(line);
    if (!columns) {
      const head = headOf(fields);
      columns = head ?? guessed(fields);
      if (head) return [];
    }
    if (!columns) return undefined;
    const { name = '', address = '', time = '', type = '' } = pick(fields, columns);
    if (type !== '' && type.toUpperCase() !== 'A') return [];
    const seen = time === '' ? otherwise : epoch(time);
    return name === '' || !isIPv4(address) || seen === undefined ? undefined : [{ name, address, seen }];
  };
}

const pick = (fields: readonly string[], { name, address, time, type }: Columns) => ({
  name: fields[name],
  address: fields[address],
  time: fields[time],
  type: fields[type],
});

function headOf(fields: readonly string[]): Columns | undefined {
  const titles = fields.map((title) => title.toLowerCase());
  const of = (known: readonly string[]): number => titles.findIndex((title) => known.includes(title));
  const columns = { name: of(NAME_COLUMNS), address: of(ADDRESS_COLUMNS), time: of(TIME_COLUMNS), type: of(TYPE_COLUMNS) };
  return columns.name < 0 || columns.address < 0 ? undefined : columns;
}

/** The columns of a file without a head: the first address is the address, the other of the first two the name, the third the time. */
function guessed(fields: readonly string[]): Columns | undefined {
  const address = fields.findIndex((field) => isIPv4(field));
  return address === 0 || address === 1 ? { name: 1 - address, address, time: 2, type: -1 } : undefined;
}

/** The fields of a line (RFC 4180), without what stands around them. */
function fieldsOf(line: string): string[] {
  const separator = line.includes('\t') ? '\t' : line.includes(',') ? ',' : ';';
  if (!line.includes('"')) return line.split(separator).map((field) => field.trim());
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const character = line[i]!;
    if (character === '"' && quoted && line[i + 1] === '"') {
      field += '"';
      i++;
    } else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      fields.push(field.trim());
      field = '';
    } else field += character;
  }
  return [...fields, field.trim()];
}
