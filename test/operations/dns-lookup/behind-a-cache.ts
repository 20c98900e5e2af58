// Run in a network namespace of its own, where port 53 is free: asks a cache that shortens TTLs, prints the report.
import { createAddressPolicy } from '@vedette/probes/host';
import { createResolver } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { dnsLookup } from '../../../packages/operations/src/dns-lookup/index.ts';
import { serveZones } from '../../mail/dnssec/zone-servers.ts';
import { dnsContext } from '../dnssec-status/context.ts';
import { answer } from '../answer.ts';

const zones = [{ name: '.' }, { name: 'test', records: 'ns A 127.0.0.1' }, { name: 'full.test' }];
const servers = await serveZones(zones, { authoritativePort: 53, unbound: 'cache-max-ttl: 60' });
const policy = createAddressPolicy({ allowNets: ['127.0.0.0/8'] });
const resolver = createResolver({ servers: [servers.recursive], policy, clock: systemClock, cache: false });
try {
  const context = dnsContext(resolver);
  const reports = [
    await answer(dnsLookup, { host: 'www.full.test', dns_types: 'A,AAAA,MX' }, context),
    await answer(dnsLookup, { host: 'full.test', dns_types: 'SOA,MX' }, context),
    await resolver.query('www.full.test', 'A'),
  ];
  process.stdout.write(JSON.stringify(reports));
} finally {
  resolver.close();
  await servers.close();
}
