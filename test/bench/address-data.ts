import { createUrls } from '@vedette/intel/urls';
import { LISTS_OF } from '@vedette/intel/addresses';
import { createBlacklists, ENGINE_CATALOGUE } from '@vedette/intel/engines';
import type { DataPorts } from '@vedette/intel/ports';
import { AutonomousSystemsBuilder, createNetworks, OriginsBuilder, RangeListBuilder } from '@vedette/intel/networks';
import { systemClock } from '@vedette/probes/net';
import { SHUT } from '../operations/shut.ts';

const RANGES = 5_000;
const SYSTEMS = 60_000;

/** Datasets of about the size of the real ones, made up, and the engines that are on, the zones among them as local data. */
export async function addressData(): Promise<Pick<DataPorts, 'networks' | 'blacklists'>> {
  const networks = createNetworks();
  let seed = 1;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >>> 8) % below;
  };
  const catalogue = ENGINE_CATALOGUE.filter(({ subject, enabled, key }) => subject === 'address' && enabled && key !== true);
  const engineLists = catalogue.map(({ id, list }) => list ?? id);
  const lists = new Set<string>([...Object.values(LISTS_OF).flat(), ...engineLists]);
  await Promise.all(
    [...lists].map((list) => {
      const builder = new RangeListBuilder();
      for (let i = 0; i < RANGES; i++)
        builder.add(
          `${1 + random(222)}.${random(256)}.${random(256)}.0/24`,
          engineLists.includes(list) ? '127.0.0.2' : `LABEL/${random(40)}`,
        );
      return networks.setList(list, builder.build());
    }),
  );
  const origins = new OriginsBuilder();
  const systems = new AutonomousSystemsBuilder();
  for (let asn = 1; asn <= SYSTEMS; asn++) {
    systems.add({ asn, asname: `AS-${asn}`, org: `Holder ${asn}`, country_code: 'NL', domain: 'example.org', category: 'isp' });
    for (let i = 0; i < 4; i++) origins.add(`${1 + random(222)}.${random(256)}.${random(16) * 16}.0/20`, asn, `Holder ${asn}`);
  }
  await Promise.all([networks.setOrigins(origins.build()), networks.setAutonomousSystems(systems.build())]);
  const blacklists = createBlacklists({
    urls: createUrls(),
    catalogue,
    networks,
    names: SHUT.names,
    resolver: SHUT.resolver,
    clock: systemClock,
    cache: true,
    onHealth() {},
    onOutcome() {},
  });
  return { networks, blacklists };
}
