import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Operation, withElapsed } from '@vedette/operations/kit';
import { operations } from '@vedette/operations';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

let vedette: OneMachine;
let target: Server;
let site: string;

beforeAll(async () => {
  target = createServer((_request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.end('<title>A site</title>');
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  vedette = await startOneMachine(NO_BROWSER);
});
afterAll(async () => {
  await vedette.stop();
  target.close();
});

/** The report, checked against the schema that the API description publishes. */
const report = async (name: string, body: object): Promise<any> => {
  const response = await vedette.post(name, body);
  const json: unknown = await response.json();
  expect({ status: response.status, json }).toMatchObject({ status: 200 });
  const operation = operations.find((each) => each.name === name) as Operation;
  expect(Compile(withElapsed(operation.response)).Errors(json)).toEqual([]);
  return json;
};

it('prints a ready line and a curl line that can be pasted', () => {
  expect(vedette.stdout()).toMatch(
    /^vedette ready http:\/\/127\.0\.0\.1:\d+ key=vdt_[a-z2-7]{16}_[a-z2-7]{38}\ncurl -s -X POST http:\/\/127\.0\.0\.1:\d+\/v2\/account-info -H 'X-API-Key: vdt_[a-z2-7_]+'\n$/m,
  );
});

describe('one report with an entry per location', () => {
  it('ping-test', async () => {
    const { host, locations } = await report('ping-test', { host: '127.0.0.1' });
    expect(host).toBe('127.0.0.1');
    expect(locations.map((entry: any) => [entry.location, entry.city_name, entry.error, entry.simulated])).toEqual([
      ['eu-fra', 'Frankfurt', '', true],
      ['sg-sin', 'Singapore', '', true],
      ['us-ash', 'Ashburn', '', true],
    ]);
    for (const { ping_output } of locations)
      expect(ping_output).toMatchObject({
        host: '127.0.0.1', ip_address: '127.0.0.1', is_valid_ip: true, is_loopback_ip: true, packets_sent: 4, packets_received: 4, percent_packet_loss: 0,
      }); // prettier-ignore
  });

  it('traceroute', async () => {
    const { locations } = await report('traceroute', { host: '127.0.0.1' });
    expect(locations.map((entry: any) => [entry.location, entry.error])).toEqual([
      ['eu-fra', ''],
      ['sg-sin', ''],
      ['us-ash', ''],
    ]);
    for (const { trace_output } of locations)
      expect(trace_output).toMatchObject({
        reached: true,
        stopped_by: 'target',
        hops: [{ hop: 1, percent_packet_loss: 0, answers: [{ ip_address: '127.0.0.1', answer: 'Echo reply', packets_received: 3 }] }],
      });
  });

  it('geo-request keeps every Set-Cookie', async () => {
    const { locations } = await report('geo-request', { url: site });
    expect(locations).toHaveLength(3);
    for (const { request_output, error } of locations) {
      expect(error).toBe('');
      expect(request_output).toMatchObject({ status_code: 200, status_message: 'OK', remote_addr: '127.0.0.1', http_version: 'HTTP/1.1' });
      expect(request_output.response_headers['set-cookie']).toEqual(['a=1', 'b=2']);
    }
  });

  it('geo-request to a closed port: the failure is data', async () => {
    const { locations } = await report('geo-request', { url: 'http://127.0.0.1:2/' });
    for (const { reason, error, request_output } of locations) {
      expect(reason).toBe('connect_refused');
      expect(error).not.toBe('');
      expect(request_output.status_code).toBe(0);
    }
  });

  it('dns-propagation', async () => {
    const { propagation, summary } = await report('dns-propagation', { host: 'nosuch.test', dns_types: 'A,MX' });
    expect(propagation).toHaveLength(3);
    expect(summary.map(({ dns_type }: any) => dns_type)).toEqual(['A', 'MX']);
  });

  it('vpn-test without an exit is a free 503 that says so', async () => {
    const response = await vedette.post('vpn-test', { url: site });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'no_vpn_exit' });
    expect(response.headers.get('x-service-quota')).toMatch(/cost=0$/);
  });
});

it('never measures our own listeners, whatever is allowed', async () => {
  const response = await vedette.post('geo-request', { url: `${vedette.url}/openapi.json` });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'private_address' });
});

it('asks the locations that the request names', async () => {
  const named = await report('ping-test', { host: '127.0.0.1', locations: ['continent:EU', 'sg-sin'] });
  expect(named.locations.map((entry: any) => entry.location)).toEqual(['eu-fra', 'sg-sin']);
  expect((await vedette.post('ping-test', { host: '127.0.0.1', locations: ['moon'] })).status).toBe(400);
});

it('tells each location as it finishes, then the whole report', async () => {
  const response = await vedette.post('ping-test', { host: '127.0.0.1' }, { accept: 'text/event-stream' });
  expect(response.headers.get('content-type')).toMatch('text/event-stream');
  const events = (await response.text())
    .trim()
    .split('\n\n')
    .map((event) => event.split('\n'))
    .filter((lines) => lines.length === 3);
  expect(events.map(([, name]) => name)).toEqual(
    ['locations', 'location', 'location', 'location', 'report'].map((name) => `event: ${name}`),
  );
  const last = JSON.parse(events.at(-1)![2]!.slice('data: '.length));
  const [chosen, ...told] = events.slice(0, 4).map(([, , data]) => JSON.parse(data!.slice('data: '.length)));
  expect(chosen.locations.map(({ location, city_name, simulated }: any) => [location, city_name, simulated])).toEqual(
    last.locations.map(({ location, city_name }: any) => [location, city_name, true]),
  );
  expect(told.toSorted((a, b) => a.location.localeCompare(b.location))).toEqual(last.locations);
});

it('charges a 200, and nothing else', async () => {
  const remaining = async () => (await accountInfo()).credits.remained;
  const before = await remaining();
  expect((await vedette.post('ping-test', { host: '127.0.0.1' })).headers.get('x-service-quota')).toMatch(/cost=5$/);
  await vedette.post('ping-test', { host: '10.0.0.1' });
  await vedette.post('vpn-test', { url: site });
  expect(await remaining()).toBe(before - 5);
});

it('makes a retry with its Idempotency-Key free, and refuses another body', async () => {
  const headers = { 'idempotency-key': 'retry-1' };
  const cost = (response: Response) => /cost=(\d+)/.exec(response.headers.get('x-service-quota')!)![1];
  expect(cost(await vedette.post('ping-test', { host: '127.0.0.1' }, headers))).toBe('5');
  expect(cost(await vedette.post('ping-test', { host: '127.0.0.1' }, headers))).toBe('0');
  expect((await vedette.post('ping-test', { host: '127.0.0.2' }, headers)).status).toBe(409);
});

it('lists the locations with their state', async () => {
  const response = await fetch(`${vedette.url}/v2/locations`, { headers: { 'x-api-key': vedette.key } });
  const { locations } = (await response.json()) as any;
  expect(locations.map(({ id, state, simulated, agents }: any) => [id, state, simulated, agents])).toEqual([
    ['eu-fra', 'ready', true, 1],
    ['sg-sin', 'ready', true, 1],
    ['us-ash', 'ready', true, 1],
  ]);
});

it('serves metrics with the fixed names and no target in them', async () => {
  const text = await (await fetch(`http://127.0.0.1:${vedette.opsPort}/metrics`)).text();
  for (const name of [
    'vedette_gateway_jobs_total',
    'vedette_gateway_dispatch_ack_seconds',
    'vedette_gateway_location_agents',
    'vedette_gateway_request_duration_seconds',
  ])
    expect(text.includes(`\n${name}{`) || text.includes(`\n${name}_bucket{`), name).toBe(true);
  for (const secret of ['nosuch.test', vedette.key]) expect(text.includes(secret), secret).toBe(false);
});

/** account-info takes one request a second: waits for its turn. */
async function accountInfo(): Promise<any> {
  for (;;) {
    const response = await vedette.post('account-info', {});
    if (response.status === 200) return response.json();
    expect(response.status).toBe(429);
    await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1000));
  }
}
