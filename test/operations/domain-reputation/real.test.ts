import { createAddressPolicy } from '@vedette/probes/host';
import { createUrls } from '@vedette/intel/urls';
import { createBlacklists, readEngineCatalogue } from '@vedette/intel/engines';
import { NameListBuilder, shippedNames } from '@vedette/intel/names';
import { createResolver } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { afterAll, expect, it } from 'vitest';
import { domainReputation } from '../../../packages/operations/src/domain-reputation/index.ts';
import { startFakeDnsbl } from '../../intel/engines/fake-dnsbl.ts';
import { zoneEngine } from '../../intel/engines/open-blacklists.ts';
import { answer } from '../answer.ts';
import { SHUT } from '../shut.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

/** Everything as in a gateway, but for the internet: a DNSBL and the DNS on one server of loopback, lists as they are shipped and one of a feed. */
async function open() {
  const dnsbl = await startFakeDnsbl({
    zones: { 'dbl.test': { listed: { 'bad.example.org': ['127.0.0.2'] } }, 'hangs.test': 'silent' },
    others: (name, type) => (type === 'A' && !name.endsWith('.test') ? [{ type, name, ttl: 60, data: '1.1.1.1' }] : undefined),
  });
  opened.defer(() => dnsbl.close());
  const policy = createAddressPolicy({ allowNets: ['127.0.0.0/8'] });
  const resolver = createResolver({ servers: [{ address: dnsbl.address, port: dnsbl.port }], policy, clock: systemClock, cache: true });
  opened.defer(() => resolver.close());
  const names = shippedNames();
  const warnings = new NameListBuilder('cert-polska');
  for (const name of ['evil.github.io', 'github.io', 'evil.hol.es', 'hol.es', 'bad.example.org']) warnings.add(name);
  names.setList('cert-polska', await warnings.build(() => Promise.resolve()));
  const engine = { subject: 'name', reference: 'https://example.org/{host}' } as const;
  const engines = {
    dbl: zoneEngine('dbl.test', engine),
    hangs: zoneEngine('hangs.test', engine),
    cert: {
      ...zoneEngine('', { ...engine, name: 'CERT', list: 'cert-polska', meaning: 'phishing', weight: 0.8 }),
      zone: undefined!,
      codes: undefined!,
    },
  };
  const blacklists = createBlacklists({
    urls: createUrls(),
    catalogue: readEngineCatalogue(JSON.stringify({ built_in: false, engines })),
    networks: SHUT.networks,
    names,
    resolver,
    clock: systemClock,
    cache: true,
    onHealth() {},
    onOutcome() {},
  });
  opened.defer(() => blacklists.stop());
  blacklists.start();
  while (!blacklists.status().some(({ id, state }) => id === 'dbl' && state === 'good')) await systemClock.sleep(5);
  return { ...SHUT, clock: systemClock, resolver, names, blacklists };
}

it('asks real sockets and real lists, blames nobody for others, and says which engine did not answer', async () => {
  const context = await open();
  const on = async (host: string) => {
    const { blacklists, risk_score, security_checks } = await answer(domainReputation, { host }, context);
    const engines = Object.values(blacklists.engines);
    return {
      listed: engines.filter(({ detected }) => detected).map(({ name, confidence }) => `${name} ${confidence}`),
      unanswered: blacklists.unanswered,
      isBlacklisted: security_checks.is_domain_blacklisted,
      risk: risk_score.result,
    };
  };
  const clean = { listed: [], unanswered: ['hangs.test'], isBlacklisted: false };
  const certain = { ...clean, listed: ['CERT high'], isBlacklisted: true };
  const expected = {
    'bad.example.org': { ...certain, listed: ['CERT high', 'dbl.test high'], risk: 83 }, // 1 − 0.2 × 0.85: spam alone is 0.2 × 0.75
    'example.org': { ...clean, risk: 6 }, // 20 × a third: one of three was not heard
    // Free hosting is a risk of its own, 20: what others have there is none.
    'evil.github.io': { ...certain, risk: 84 }, // 1 − 0.2 × 0.8
    'good.github.io': { ...clean, risk: 20 },
    'evil.hol.es': { ...certain, risk: 84 },
    'good.hol.es': { ...clean, risk: 20 },
    'github.io': { ...clean, unanswered: [], risk: 0 },
  };
  const hosts = Object.keys(expected);
  const told = await Promise.all(hosts.map(on));
  expect(Object.fromEntries(hosts.map((host, at) => [host, told[at]]))).toEqual(expected);
});
