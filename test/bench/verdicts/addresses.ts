import { addressRisk, judgeAddress, networkSigns } from '@vedette/intel/addresses';
import { createBlacklists, ENGINE_CATALOGUE } from '@vedette/intel/engines';
import type { createNetworks } from '@vedette/intel/networks';
import type { createUrls } from '@vedette/intel/urls';
import type { shippedNames } from '@vedette/intel/names';
import { budgeted } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { WELL_KNOWN } from '../../operations/ip-reputation/well-known.ts';
import { type Corpus, halfOf } from './corpus.ts';
import { type Judged, percent, report } from './figures.ts';

export interface LoadedLists {
  networks: ReturnType<typeof createNetworks>;
  names: ReturnType<typeof shippedNames>;
  urls: ReturnType<typeof createUrls>;
}

/** The catalogue's engines that are lists in memory. */
export const enginesInMemory = (lists: LoadedLists) =>
  createBlacklists({
    ...lists,
    catalogue: ENGINE_CATALOGUE.filter(({ list }) => list !== undefined),
    resolver: fakeResolver({}),
    clock: systemClock,
    cache: true,
    onHealth() {},
    onOutcome() {},
  });

/** Addresses that are taken of each network. */
const OF_A_NETWORK = 4;

/** Some addresses of a network, the same at each run; an address stands for itself. */
function addressesOf(line: string): string[] {
  const [address = '', bits = '32'] = line.split('/');
  if (bits === '32') return [address];
  const first = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  const size = 2 ** (32 - Number(bits));
  return Array.from({ length: Math.min(OF_A_NETWORK, size) }, (_, i) => {
    const at = first + (Math.floor(((i + 0.5) * size) / OF_A_NETWORK) % size);
    return [24, 16, 8, 0].map((shift) => Math.floor(at / 2 ** shift) % 256).join('.');
  });
}

/** Prints how many addresses of each list reach each threshold, by the lists in memory alone: without the DNS, as with `disable_reverse_dns`. */
export async function judgedAddresses(corpus: Corpus, half: 'calibrate' | 'report', lists: LoadedLists): Promise<void> {
  const { networks } = lists;
  const dns = fakeResolver({});
  const blacklists = enginesInMemory(lists);
  const signal = new AbortController().signal;
  const judge = async (address: string): Promise<Judged> => {
    using resolver = budgeted(dns, { questions: 0 }, systemClock);
    const check = await blacklists.address(address, { exclude: [], key: undefined, resolver, signal });
    const origin = networks.origin(address);
    const traits = judgeAddress({
      address,
      networks,
      marks: networks.marks(address),
      origin,
      system: origin && networks.autonomousSystem(origin.asn),
      delegation: networks.delegation({ address }),
      reverse: undefined,
      check,
    });
    const detections = check.results.filter(({ detected }) => detected);
    const { result: risk } = addressRisk({ traits, detections, asAgeDays: undefined, nameless: false, unheard: 0 });
    return { subject: address, risk, listed: detections.length > 0 };
  };
  const judged = { honest: new Map<string, Judged[]>(), bad: new Map<string, Judged[]>() };
  const ordinary = Object.values(WELL_KNOWN).flatMap((list) => list.split(' '));
  const signs: Record<string, [honest: number, bad: number]> = { drop_network: [0, 0], criminal_system: [0, 0], tor_exit: [0, 0] };
  const counted = { honest: 0, bad: 0 };
  for (const label of ['honest', 'bad'] as const) {
    const given = corpus.lists(`addresses/${label}`).map(({ name, lines }) => ({ name, all: lines.flatMap(addressesOf) }));
    if (label === 'honest' && given.length > 0) given.push({ name: 'ordinary', all: ordinary });
    for (const { name, all } of given) {
      const here: Judged[] = [];
      for (const address of new Set(all)) {
        if (name !== 'ordinary' && halfOf(address) !== half) continue;
        here.push(await judge(address));
        counted[label]++;
        for (const { factor } of networkSigns([address], networks)) signs[factor]![label === 'honest' ? 0 : 1]++;
      }
      judged[label].set(name, here);
    }
  }
  if (counted.honest === 0) return;
  report('ip-reputation by lists in memory', judged);
  for (const [sign, [honest, bad]] of Object.entries(signs))
    process.stdout.write(
      `a host in ${sign}: honest ${honest} of ${counted.honest} (${percent(honest / counted.honest)}), bad ${bad} of ${counted.bad} (${percent(bad / Math.max(1, counted.bad))})\n`,
    );
}
