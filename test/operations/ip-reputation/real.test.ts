import { createUrls } from '@vedette/intel/urls';
import { createBlacklists, readEngineCatalogue } from '@vedette/intel/engines';
import { createNetworks, RangeListBuilder } from '@vedette/intel/networks';
import { createResolver } from '@vedette/probes/dns';
import { createAddressPolicy } from '@vedette/probes/host';
import { systemClock } from '@vedette/probes/net';
import { afterAll, expect, it } from 'vitest';
import { ipReputation } from '../../../packages/operations/src/ip-reputation/index.ts';
import { startFakeDnsbl } from '../../intel/engines/fake-dnsbl.ts';
import { zoneEngine } from '../../intel/engines/open-blacklists.ts';
import { answer } from '../answer.ts';
import { SHUT } from '../shut.ts';

const ADDRESS = '198.51.100.7';
const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

/** Everything as in a gateway, but for the internet: a DNSBL and the reverse tree on one server of loopback, lists in the real table. */
async function open() {
  const dnsbl = await startFakeDnsbl({
    zones: { 'bl.test': { listed: { [ADDRESS]: ['127.0.0.2'] } }, 'clean.test': {}, 'hangs.test': 'silent' },
    others(name, type) {
      if (name === '7.100.51.198.in-addr.arpa' && type === 'PTR') return [{ type, name, ttl: 60, data: 'exit.example.org' }];
      if (name === 'exit.example.org' && type === 'A') return [{ type, name, ttl: 60, data: ADDRESS }];
      return undefined;
    },
  });
  opened.defer(() => dnsbl.close());
  const policy = createAddressPolicy({ allowNets: ['127.0.0.0/8'] });
  const resolver = createResolver({ servers: [{ address: dnsbl.address, port: dnsbl.port }], policy, clock: systemClock, cache: true });
  opened.defer(() => resolver.close());
  const networks = createNetworks();
  const list = new RangeListBuilder();
  list.add('198.51.100.0/28');
  await networks.setList('tor-exits', list.build());
  const engines = { bl: zoneEngine('bl.test', { weight: 0.4 }), clean: zoneEngine('clean.test'), hangs: zoneEngine('hangs.test') };
  const blacklists = createBlacklists({
    urls: createUrls(),
    catalogue: readEngineCatalogue(JSON.stringify({ built_in: false, engines })),
    networks,
    names: SHUT.names,
    resolver,
    clock: systemClock,
    cache: true,
    onHealth() {},
    onOutcome() {},
  });
  opened.defer(() => blacklists.stop());
  blacklists.start();
  return { dnsbl, blacklists, context: { ...SHUT, clock: systemClock, resolver, networks, blacklists } };
}

it('asks real sockets and the real table, and is there though an engine hangs', async () => {
  const { context, blacklists, dnsbl } = await open();
  const isReady = () => blacklists.status().filter(({ state }) => state === 'good').length >= 2;
  while (!isReady()) await systemClock.sleep(5);
  const report = await answer(ipReputation, { ip: ADDRESS }, context);
  expect(report).toMatchObject({
    blacklists: { detections: 1, engines_count: 2, detection_rate: '50%', unanswered: ['hangs.test'] },
    information: { reverse_dns: 'exit.example.org', reverse_dns_confirmed: true, reverse_dns_error: '' },
    anonymity: { is_tor: true, is_vpn: false },
    risk_score: { result: 79 }, // 1 − 0.6 × 0.35
  });
  expect(dnsbl.asked).toContain('7.100.51.198.bl.test A');

  const before = dnsbl.asked.length;
  const alone = { ip: ADDRESS, exclude_engines: 'bl.test, CLEAN test, hangs', disable_reverse_dns: true };
  expect(await answer(ipReputation, alone, context)).toMatchObject({
    blacklists: { engines: {}, engines_count: 0 },
    information: { reverse_dns: '' },
    risk_score: { result: 65 },
  });
  expect(dnsbl.asked.slice(before).filter((question) => question.includes('7.100.51.198'))).toEqual([]);
});
