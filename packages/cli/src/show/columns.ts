import { judgeEntry } from '@vedette/client/entries';

/** An entry of a location, of whichever operation. */
export type Entry = Readonly<Record<string, unknown>>;

interface Column {
  title: string;
  /** Path of the value in the entry, or what makes a text of it. */
  value: string | ((entry: Entry) => unknown);
  isNumber?: boolean;
}

const RTT = (output: string): Column[] =>
  ['min', 'avg', 'max'].map((part) => ({ title: `${part} ms`, value: `${output}.rtt.${part}`, isNumber: true }));

/** Columns of an operation's entries, beside the location and its failure. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  'ping-test': [
    { title: 'address', value: 'ping_output.ip_address' },
    { title: 'sent', value: 'ping_output.packets_sent', isNumber: true },
    { title: 'loss %', value: 'ping_output.percent_packet_loss', isNumber: true },
    ...RTT('ping_output'),
  ],
  'tcp-test': [{ title: 'address', value: 'tcp_output.ip_address' }, { title: 'port is', value: 'tcp_output.state' }, ...RTT('tcp_output')],
  'geo-request': [
    { title: 'address', value: 'request_output.remote_addr' },
    { title: 'status', value: 'request_output.status_code', isNumber: true },
    { title: 'dns ms', value: 'request_output.timings.dns_ms', isNumber: true },
    { title: 'connect ms', value: 'request_output.timings.connect_ms', isNumber: true },
    { title: 'tls ms', value: 'request_output.timings.tls_ms', isNumber: true },
    { title: 'ttfb ms', value: 'request_output.timings.ttfb_ms', isNumber: true },
    { title: 'total ms', value: 'request_output.timings.total_ms', isNumber: true },
  ],
  'dns-propagation': [{ title: 'answers', value: ({ response }) => answersOf(response as readonly Answer[]) }],
  traceroute: [
    { title: 'address', value: 'trace_output.ip_address' },
    { title: 'reached', value: 'trace_output.reached' },
    { title: 'hops', value: (entry) => lengthOf(at(entry, 'trace_output.hops')), isNumber: true },
    { title: 'stopped by', value: 'trace_output.stopped_by' },
  ],
  'mtu-test': [
    { title: 'IPv4 mtu', value: 'mtu_output.ipv4.path_mtu', isNumber: true },
    { title: 'IPv6 mtu', value: 'mtu_output.ipv6.path_mtu', isNumber: true },
  ],
  'ssl-info': [
    { title: 'address', value: 'ip' },
    { title: 'certificate', value: ({ fingerprint_sha256 }) => String(fingerprint_sha256).slice(0, 16) },
    { title: 'issuer', value: 'issuer' },
    { title: 'days left', value: ({ certificate_found, days_left }) => (certificate_found === true ? days_left : ''), isNumber: true },
    { title: 'tls', value: 'tls_version' },
  ],
  'port-scan': [
    { title: 'address', value: 'scan_output.ip_address' },
    { title: 'scanned', value: 'scan_output.stats.scanned', isNumber: true },
    { title: 'open ports', value: 'scan_output.open_ports' },
  ],
};

interface Answer {
  dns_type: string;
  records: readonly unknown[];
  error?: string;
  status?: string;
}

const answersOf = (answers: readonly Answer[] = []): string =>
  answers
    .map(
      ({ dns_type, records, error, status }) =>
        `${dns_type} ${records.length > 0 ? records.map(text).join(', ') : error || status || 'none'}`,
    )
    .join('; ');

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}

/** A value in a cell; nothing is `-`. */
export function text(value: unknown): string {
  if (value === undefined || value === null || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(text).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface Row {
  cells: string[];
  /** The location measured nothing; the last cell says why. */
  hasFailed: boolean;
  /** It measured something bad; the last cell says what. */
  isBad: boolean;
  /** It has not answered. */
  isPending: boolean;
}

export interface EntryTable {
  titles: string[];
  isNumber: boolean[];
  rowOf(entry: Entry): Row;
  /** The row of a location without an answer, with a word for why. */
  without(location: string, state: string): Row;
}

/** How the entries of an operation are shown: the place, its values, and whose fault a failure is. */
export function entryTable(operation: string, reasons: Readonly<Record<string, string>>): EntryTable {
  const columns = COLUMNS[operation] ?? [];
  return {
    titles: ['location', ...columns.map(({ title }) => title), 'state'],
    isNumber: [false, ...columns.map(({ isNumber = false }) => isNumber), false],
    rowOf(entry) {
      const reason = text(entry['reason']);
      const hasFailed = reason !== '-';
      const values = columns.map(({ value }) => (hasFailed ? '-' : text(typeof value === 'string' ? at(entry, value) : value(entry))));
      const { tone, state } = judgeEntry(entry);
      const isBad = !hasFailed && tone !== 'good';
      const measured = `${isBad ? state : 'ok'}${entry['simulated'] === true ? ', simulated' : ''}`;
      return {
        cells: [text(entry['location']), ...values, hasFailed ? `${reasons[reason] ?? 'failed'}: ${reason}` : measured],
        hasFailed,
        isBad,
        isPending: false,
      };
    },
    without: (location, state) => ({
      cells: [location, ...columns.map(() => '-'), state],
      hasFailed: false,
      isBad: false,
      isPending: true,
    }),
  };
}
