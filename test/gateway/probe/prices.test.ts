import { operations } from '@vedette/operations';
import { DNS_PORTS } from '@vedette/probes/dns';
import { expect, it } from 'vitest';
import { readCatalogue } from '../../../packages/gateway/src/locations/locations.ts';
import { probeOperation } from '../../../packages/gateway/src/probe/operations.ts';
import { readProbeFile } from '../../../packages/gateway/src/probe-modules/module-file.ts';
import { read } from '../../operations/answer.ts';

it.each([
  ['http', '{}'],
  ['icmp', '{}'],
  ['trace', '{}'],
  ['dns', '{}'],
  ['dns', '{query_name: example.org}'],
])('a scrape with a module of %s (%s) costs what the one operation with its probe costs', (prober, section) => {
  const { probe, cost, deadline_ms } = moduleOf(prober, undefined, section);
  const same = operations.filter((operation) => operation.kind === 'distributed' && operation.probe === probe);
  expect(same).toHaveLength(1);
  expect({ cost, deadline_ms }).toEqual({ cost: same[0]!.cost, deadline_ms: same[0]!.deadline_ms });
});

const CATALOGUE = readCatalogue(undefined);
const operationOf = (name: string): any => operations.find((operation) => operation.name === name);

/** Whatever operation it is: the job and the price of a request. */
function asked(operation: any, request: object): { job: object; credits: number } {
  const query: unknown = read<any, any, unknown>(operation, request);
  const { cost } = operation;
  const { detail: _, ...job } = operation.job(query);
  return { job, credits: typeof cost === 'number' ? cost : cost.of(query) };
}

function moduleOf(prober: string, options: object | undefined, section = '{}'): any {
  const ours = options === undefined ? '' : `options: ${JSON.stringify(options)}, `;
  const text = `modules: {it: {prober: ${prober}, ${ours}${prober}: ${section}}}`;
  const module = readProbeFile(text, '/nowhere/blackbox.yml').modules.get('it');
  if (!module) throw new Error('the module was left out');
  return probeOperation(module, CATALOGUE);
}

it.each([{}, { rounds: 1 }, { flows: 4, rounds: 4, max_hops: 9, protocol: 'udp' }])(
  'a trace module with %j sends what traceroute sends, at its price',
  (options) => {
    const module = readProbeFile(`modules: {it: {prober: trace, trace: ${JSON.stringify(options)}}}`, '/nowhere/blackbox.yml').modules.get(
      'it',
    )!;
    const scraped = asked(probeOperation(module, CATALOGUE), { target: 'a.test', location_label: 'location' });
    expect(scraped).toEqual(asked(operationOf('traceroute'), { host: 'a.test', ...options }));
  },
);

it.each([{}, { count: 1 }, { count: 16, interval_ms: 100 }, { payload_bytes: 1472, dont_fragment: true, ttl: 9, family: 6 }])(
  'an icmp module with the options %j sends what ping-test sends, at its price',
  (options) => {
    const scraped = asked(moduleOf('icmp', options), { target: 'a.test', location_label: 'location' });
    expect(scraped).toEqual(asked(operationOf('ping-test'), { host: 'a.test', options }));
  },
);

it.each([
  { max_redirects: 0 },
  { max_redirects: 3, method: 'HEAD' },
  { method: 'OPTIONS', max_redirects: 1, headers: { accept: 'text/plain', host: 'b.test' }, http_versions: ['HTTP/1.1'], family: 4 },
])('an http module with the options %j sends what geo-request sends, at its price', (options) => {
  const { job, credits } = asked(moduleOf('http', options), { target: 'http://a.test/', location_label: 'location' });
  const { verify_certificate, ...same } = job as Record<string, unknown>;
  expect(verify_certificate).toBe(true); // a module's verdict, which is no option
  expect({ job: same, credits }).toEqual(asked(operationOf('geo-request'), { url: 'http://a.test/', options }));
});

it.each([
  {},
  { transport: 'tcp', recursion: false, class: 'CH', family: 6 },
  { transport: 'tls', nsid: true, client_subnet: '192.0.2.0/24', dnssec: true },
  { transport: 'https', path: '/q', checking_disabled: true, authentic_data: true },
])('a dns module with the options %j sends what dns-propagation sends, at its price', (options) => {
  const port = DNS_PORTS[(options as { transport?: 'tls' }).transport ?? 'udp'];
  const { job, credits } = asked(moduleOf('dns', options, '{query_name: a.test, query_type: TXT}'), {
    target: '192.0.2.1',
    port,
    location_label: 'location',
  });
  const same = asked(operationOf('dns-propagation'), { host: 'a.test', dns_types: 'TXT', options: { ...options, server: '192.0.2.1' } });
  const { answers, ...server } = (same.job as { server: Record<string, unknown> }).server;
  expect(answers).toBe(true); // a report has records; a scrape has what came
  expect({ job, credits }).toEqual({ job: { ...same.job, server }, credits: same.credits });
});

it('a dns module of blackbox_exporter with dns_over_tls asks over TLS', () => {
  const module = moduleOf('dns', {}, '{query_name: a.test, query_type: A, transport_protocol: tcp, dns_over_tls: true}');
  const { job, credits } = asked(module, { target: '192.0.2.1', port: 853, location_label: 'location' });
  expect([job, credits]).toMatchObject([{ server: { transport: 'tls', port: 853 } }, 6]);
});

it.each([
  ['dns', { nsid: true }, '{query_type: A}', 'options want a query_name'],
  ['dns', { server: '192.0.2.1' }, '{query_name: a.test}', 'was left out'],
  ['dns', { path: '/q' }, '{query_name: a.test}', 'path requires transport: https'],
  ['dns', { transport: 'tls' }, '{query_name: a.test, transport_protocol: tcp}', 'options: transport stands in the section'],
  ['dns', {}, '{query_name: a.test, dns_over_tls: true}', 'dns_over_tls wants transport_protocol: tcp'],
  ['http', { show_body: 'text' }, '{}', 'was left out'],
  ['http', { method: 'HEAD' }, '{method: GET}', 'options: method stands in the section of the prober, too'],
  ['http', { headers: { connection: 'close' } }, '{}', 'options: connection belongs to the connection'],
  ['http', { max_redirects: 3 }, '{follow_redirects: false}', 'options: max_redirects stands in the section'],
  ['icmp', { count: 17 }, '{}', 'options: count must be <= 16'],
  ['icmp', { count: '4' }, '{}', 'options: count must be integer'],
  ['icmp', { ttl: 5 }, '{ttl: 6}', 'options: ttl stands in the section of the prober, too'],
  ['icmp', { count: 16, interval_ms: 500 }, '{}', '16 echo requests would take 7.5 s'],
])('a module of %s with the options %j is refused', (prober, options, section, sentence) => {
  expect(() => moduleOf(prober, options, section)).toThrow(sentence);
});

it('a module with an unknown option is left out, and the option named', () => {
  const { modules, unsupported } = readProbeFile('modules: {it: {prober: icmp, options: {coutn: 3}}}', '/nowhere/blackbox.yml');
  expect(modules.has('it')).toBe(false);
  expect(unsupported.get('it')).toMatchObject({ what: 'the key "coutn" of options; did you mean count?' });
});
