import { createAddressPolicy, OptOuts } from '@vedette/probes/host';
import { systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { startSslWorld, type SslWorld } from '../../operations/ssl-info/world.ts';
import { openProbe, samplesOf } from './scraping.ts';

let world: SslWorld;
beforeAll(async () => {
  world = await startSslWorld();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const optOuts = new OptOuts({ siteOf: (name) => name, resolver: fakeResolver({}), clock: systemClock });
const open = (options: Parameters<typeof openProbe>[1] = {}) =>
  openProbe(
    {},
    { ports: world.context(), optOuts, policy: createAddressPolicy({ allowNets: ['127.0.0.0/8', '192.0.2.0/24'] }), ...options },
  );
const scrape = async (query: string) => {
  await using probe = await open();
  const { status, text } = await probe.scrape(query);
  return { status, text, samples: samplesOf(text), money: probe.money, asked: probe.asked };
};
const ssl = async (host: string) => (await scrape(`module=ssl_info&target=${host}`)).samples;

describe('ssl_info', () => {
  it('is one answer of the gateway, without a location, and paid as ssl-info', async () => {
    const { status, samples, money, asked } = await scrape('module=ssl_info&target=good.test:443');
    expect(status).toBe(200);
    expect(Object.keys(samples)).toEqual([
      'probe_duration_seconds{}',
      'probe_ssl_chain_valid{}',
      'probe_ssl_days_left{}',
      'probe_ssl_earliest_cert_expiry{}',
      'probe_ssl_hostname_valid{}',
      'probe_ssl_revoked{}',
      'probe_success{}',
    ]);
    expect(samples).toMatchObject({
      'probe_success{}': 1,
      'probe_ssl_chain_valid{}': 1,
      'probe_ssl_hostname_valid{}': 1,
      'probe_ssl_revoked{}': 0,
      'probe_ssl_earliest_cert_expiry{}': Date.parse('2049-12-31T00:00:00Z') / 1_000,
    });
    expect([money, asked]).toEqual([['reserve 2 for ssl-info', 'settle 2'], []]);
  });

  it.each([
    ['wrong-host.test', { success: 0, chain: 1, name: 0, revoked: 0 }],
    ['incomplete.test', { success: 0, chain: 0, name: 1, revoked: undefined }],
    ['private-ca.test', { success: 0, chain: 0, name: 1, revoked: undefined }],
    ['revoked.test', { success: 0, chain: 1, name: 1, revoked: 1 }],
    ['list-down.test', { success: 1, chain: 1, name: 1, revoked: undefined }],
    ['expired.test', { success: 0, chain: 1, name: 1, revoked: undefined }],
  ])('%s: %j', async (host, expected) => {
    const samples = await ssl(host);
    expect({
      success: samples['probe_success{}'],
      chain: samples['probe_ssl_chain_valid{}'],
      name: samples['probe_ssl_hostname_valid{}'],
      revoked: samples['probe_ssl_revoked{}'],
    }).toEqual(expected);
    expect(samples['probe_failure_info{reason="tls_cert_invalid"}'] ?? 0).toBe(1 - expected.success);
  });

  it('counts days below zero, and has no certificate where there is none', async () => {
    expect((await ssl('expired.test'))['probe_ssl_days_left{}']).toBeLessThan(0);
    expect((await ssl('soon.test'))['probe_ssl_days_left{}']).toBe(4);
    const shut = await ssl('good.test:1');
    expect(Object.keys(shut)).toEqual(['probe_duration_seconds{}', 'probe_failure_info{reason="connect_refused"}', 'probe_success{}']);
  });
});

describe('security_headers', () => {
  it('fails with a reason where the site has no score, and is paid as security-headers', async () => {
    const { status, samples, money } = await scrape('module=security_headers&target=absent.test');
    expect(status).toBe(200);
    expect(samples).toMatchObject({ 'probe_success{}': 0, 'probe_failure_info{reason="not_scored"}': 1 });
    expect(money).toEqual(['reserve 5 for security-headers', 'settle 5']);
  });
});

it('refuses locations and a hostname, which nothing is measured at or for', async () => {
  for (const more of ['location=eu-fra', 'hostname=a.test']) {
    const { status, text, money } = await scrape(`module=ssl_info&target=good.test&${more}`);
    expect([status, text, money]).toEqual([400, expect.stringContaining('cannot be used together'), []]);
  }
});

it('a module of the operator replaces one by its name', async () => {
  await using probe = await open({ file: 'modules:\n  ssl_info:\n    prober: icmp\n' });
  await probe.scrape('module=ssl_info&target=192.0.2.10&location=eu-fra');
  expect(probe.asked).toHaveLength(1);
});
