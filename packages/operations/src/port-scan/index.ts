import { count, Enum, text } from '@vedette/contract';
import { PORTS_MAX, scan, SCAN_INTERVAL_MS, type ScannedPort } from '@vedette/probes/scan';
import { type Static, Type } from 'typebox';
import { Defaulted, distributed, Host } from '../kit/index.ts';
import { Family, familyOf } from '../shared/names/family.ts';
import { DEFAULT_PORTS, portsOf } from './ports.ts';
import { serviceOf } from './services.ts';

/** The price: that of a scan, and of its ports. */
const BASE_CREDITS = 5;
const PORTS_PER_CREDIT = 10;
const LOCATIONS_MAX = 4;
const COOL_DOWN_S = 600;
/** A firewall that answers for a host accepts everything: servers do not have so many open ports. */
const ACCEPTING_SHARE = 0.9;
const ACCEPTING_PORTS = 10;

const priceOf = (ports: readonly number[]): number => BASE_CREDITS + Math.ceil(ports.length / PORTS_PER_CREDIT);

interface Query {
  requestedHost: string;
  host: string;
  ports: number[];
  family: 0 | 4 | 6;
}

const ScannedOutput = Type.Object(
  {
    ...scan.result.properties.ports.items.properties,
    service: text(
      'Service of the port, such as `ssh`: the protocol of its banner, otherwise the service that usually has this port; empty if unknown',
    ),
    service_from: Enum(['', 'banner', 'port'], { description: 'Source of `service`: the banner, or the number of the port alone' }),
  },
  { title: 'ScannedPort' },
);

const ScanOutput = Type.Object(
  {
    host: text('Host from the request'),
    ip_address: text('Address that was scanned; empty if there is none'),
    ports: Type.Array(ScannedOutput, { description: 'All ports from the request, ascending' }),
    open_ports: Type.Array(Type.Integer(), { description: 'Ports that are open, ascending' }),
    stats: Type.Object(
      {
        scanned: count('Number of ports with a state'),
        open: count('Number of open ports'),
        closed: count('Number of closed ports'),
        filtered: count('Number of filtered ports'),
      },
      { description: 'Ports by state' },
    ),
    accepts_everything: Type.Boolean({
      description: `More than ${ACCEPTING_SHARE * 100} % of at least ${ACCEPTING_PORTS} ports are open: a firewall or load balancer probably answers for the host`,
    }),
    connections: count('Number of connections that were tried'),
    elapsed_ms: count('Processing time at the location, in ms'),
  },
  { description: 'State of the ports at this location' },
);

/** Which TCP ports of a host are open, from one location or several. */
export const portScan = distributed({
  name: 'port-scan',
  subject: 'locations',
  summary: 'Find the open TCP ports of a host',
  description: `One location, or each of \`locations\` (at most ${LOCATIONS_MAX}), connects to up to ${PORTS_MAX} ports of one address of the host, in random order. All locations together begin ${1_000 / SCAN_INTERVAL_MS} connections a second. A silent port is tried once more. A location listens up to 2 s to an open port and sends nothing. A host, and each of its addresses, can be scanned once in ${COOL_DOWN_S / 60} minutes by all accounts together. The operation exists only where the operator has set \`VEDETTE_PORT_SCAN=on\`, and only for accounts whose plan includes it.`,
  cost: {
    base: priceOf(portsOf(DEFAULT_PORTS)),
    of: ({ ports }: Query) => priceOf(ports),
    note: `with the default ports. In general: ${BASE_CREDITS}, and 1 for each ${PORTS_PER_CREDIT} ports`,
  },
  deadline_ms: 60_000,
  references: ['RFC 9293 §3.5'],
  dns: { questions: 2, ms: 3_000 },
  request: Type.Object(
    {
      host: Host(),
      ports: Defaulted(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description: `TCP ports and ranges, separated by commas; at most ${PORTS_MAX} ports`,
          examples: ['22,80,443,8000-8010'],
        }),
        DEFAULT_PORTS,
      ),
      family: Family(),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ host: text('Host from the request') }),
  targets: { host: 'host' },
  optIn: 'portScan',
  examples: [{ host: 'example.org', ports: '22,80,443' }],
  read({ host, ports, family }, targets): Query {
    return { requestedHost: host, host: targets.host.host, ports: portsOf(ports), family: familyOf(family, targets.host) };
  },
  entries: 'locations',
  probe: scan,
  fewLocations: { byDefault: 1, atMost: LOCATIONS_MAX },
  scans: ({ ports }) => ports,
  coolDownS: COOL_DOWN_S,
  job: ({ host, ports, family }, locations = 1) => ({ host, ports, family, interval_ms: SCAN_INTERVAL_MS * locations }),
  entry: {
    schema: Type.Object({ scan_output: ScanOutput }),
    of: ({ requestedHost }, { result }) => ({ scan_output: outputOf(requestedHost, result) }),
  },
  report: ({ requestedHost }) => ({ host: requestedHost }),
});

function outputOf(host: string, { ports, ...result }: Static<typeof scan.result>): Static<typeof ScanOutput> {
  const inState = (state: ScannedPort['state']) => ports.filter((port) => port.state === state);
  const open = inState('open');
  const [closed, filtered] = [inState('closed').length, inState('filtered').length];
  const scanned = open.length + closed + filtered;
  return {
    host,
    ...result,
    ports: ports.map((port) => ({ ...port, ...serviceOf(port.port, port.banner) })),
    open_ports: open.map(({ port }) => port),
    stats: { scanned, open: open.length, closed, filtered },
    accepts_everything: scanned >= ACCEPTING_PORTS && open.length > scanned * ACCEPTING_SHARE,
  };
}
