import { outputOf } from '@vedette/client/entries';
import { isObject, type Members } from '../report/shape.ts';

/** A column of the table of locations. */
export interface Column {
  name: string;
  /** Behind each number. */
  unit?: string;
  of: (output: Members, entry: Members) => string | number | undefined;
}

const object = (value: unknown): Members => (isObject(value) ? value : {});
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const timing = (name: string) => (output: Members) => number(object(output['timings'])[name]);

const address: Column = { name: 'Address', of: ({ ip_address, remote_addr, ip }) => text(ip_address ?? remote_addr ?? ip) };
const answered = (output: Members): boolean => number(output['packets_received']) !== 0;

/** The columns of each operation: all else of an entry is below its row. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  'ping-test': [
    address,
    { name: 'Loss', unit: '%', of: ({ percent_packet_loss }) => number(percent_packet_loss) },
    ...(['min', 'avg', 'max'] as const).map((name): Column => ({
      name,
      unit: 'ms',
      of: (output) => (answered(output) ? number(object(output['rtt'])[name]) : undefined),
    })),
  ],
  traceroute: [
    address,
    { name: 'Ended by', of: ({ stopped_by }) => text(stopped_by) },
    { name: 'Hops', of: ({ hops }) => list(hops).length },
    {
      name: 'avg',
      unit: 'ms',
      of: ({ hops, reached }) => (reached === true ? number(object(object(list(hops).at(-1))['rtt'])['avg']) : undefined),
    },
  ],
  'mtu-test': [
    { name: 'MTU over IPv4', unit: 'B', of: ({ ipv4 }) => number(object(ipv4)['path_mtu']) || undefined },
    { name: 'State over IPv4', of: ({ ipv4 }) => text(object(ipv4)['state']) },
    { name: 'MTU over IPv6', unit: 'B', of: ({ ipv6 }) => number(object(ipv6)['path_mtu']) || undefined },
    { name: 'State over IPv6', of: ({ ipv6 }) => text(object(ipv6)['state']) },
  ],
  'tcp-test': [
    address,
    { name: 'Port is', of: ({ state }) => text(state) },
    { name: 'Connect', unit: 'ms', of: timing('connect_ms') },
    { name: 'TLS', unit: 'ms', of: timing('tls_ms') },
    { name: 'Total', unit: 'ms', of: timing('total_ms') },
  ],
  'port-scan': [
    address,
    { name: 'Open ports', of: ({ open_ports }) => list(open_ports).map(text).join(', ') },
    { name: 'Closed', of: ({ stats }) => number(object(stats)['closed']) },
    { name: 'Filtered', of: ({ stats }) => number(object(stats)['filtered']) },
  ],
  'geo-request': [
    address,
    { name: 'Status', of: ({ status_code }) => number(status_code) || undefined },
    { name: 'DNS', unit: 'ms', of: timing('dns_ms') },
    { name: 'Connect', unit: 'ms', of: timing('connect_ms') },
    { name: 'TLS', unit: 'ms', of: timing('tls_ms') },
    { name: 'First byte', unit: 'ms', of: timing('ttfb_ms') },
    { name: 'Total', unit: 'ms', of: timing('total_ms') },
  ],
  'ssl-info': [
    address,
    { name: 'Certificate', of: ({ fingerprint_sha256 }) => text(fingerprint_sha256).slice(0, 16) },
    { name: 'Issuer', of: ({ issuer }) => text(issuer) },
    {
      name: 'Valid for',
      unit: 'd',
      of: ({ certificate_found, days_left }) => (certificate_found === true ? number(days_left) : undefined),
    },
    { name: 'TLS', of: ({ tls_version }) => text(tls_version) },
  ],
  'dns-propagation': [
    {
      name: 'Answers',
      of: (_output, { response }) =>
        list(response)
          .map(
            (answer) =>
              `${text(object(answer)['dns_type'])}: ${list(object(answer)['records']).map(text).join(', ') || text(object(answer)['status'])}`,
          )
          .join(' · '),
    },
  ],
};

export const columnsOf = (operation: string): readonly Column[] => COLUMNS[operation] ?? [];

/** The time by which locations are compared, in ms. */
export const timeOf = (operation: string, entry: Members): number | undefined => {
  const columns = columnsOf(operation);
  const column = columns.find(({ name }) => name === 'avg') ?? columns.find(({ name }) => name === 'Total');
  const value = column?.of(outputOf(entry), entry);
  return typeof value === 'number' ? value : undefined;
};

/** Milliseconds as precisely as they are read. */
export const rounded = (ms: number): string => ms.toFixed(ms >= 100 ? 0 : ms >= 1 ? 1 : 2);
