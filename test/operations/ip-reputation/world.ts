import type { AsRegistration, AsType, BlacklistCheck, Delegation, EngineResult, Mark, NetworkTotals, Place } from '@vedette/intel/ports';
import { isSpecialUseName } from '@vedette/contract';
import { refusing } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { ipReputation } from '../../../packages/operations/src/ip-reputation/index.ts';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import { answer, type Opened } from '../answer.ts';
import { UNKNOWN_AUTNUM } from '../../registries/unknown.ts';
import { SHUT } from '../shut.ts';

/** What a test knows of one address. Nothing is known of what it leaves out; all lists are loaded. */
export interface World {
  ip?: string;
  marks?: readonly (string | readonly [list: string, label: string])[];
  /** Lists that are not loaded. */
  absent?: readonly string[] | 'all';
  /** Lists that no source has confirmed for long, with their days. */
  stale?: Record<string, string>;
  asn?: number;
  org?: string;
  route?: string;
  type?: AsType;
  place?: Partial<Place>;
  delegation?: Partial<Delegation>;
  /** Of the autonomous system. */
  given?: Partial<Delegation>;
  totals?: NetworkTotals;
  /** What the registry says of the autonomous system; absent where it is silent. */
  registration?: Partial<AsRegistration>;
  dns?: FakeZone;
  detections?: readonly Partial<EngineResult>[];
  unanswered?: BlacklistCheck['unanswered'];
}

const DELEGATION: Delegation = { rir: 'RIPE', status: 'allocated', country_code: 'NL', date: '2001-02-03', block: '198.51.100.0/22' };
const CLEAN: EngineResult = {
  id: 'spamcop',
  name: 'SpamCop',
  detected: false,
  reference: '',
  elapsed_ms: 1.4,
  confidence: 'high',
  doubtful: false,
  weight: 0.45,
  group: '',
  meanings: [],
};

/** The ports of a test. */
export function openWorld(world: World) {
  const { marks = [], absent = [], asn, type = 'business', org = 'Example B.V.', route = '198.51.100.0/24' } = world;
  const dns = fakeResolver(world.dns ?? {});
  const inquired: number[] = [];
  const asked: { address: string; exclude: readonly string[]; key: string | undefined }[] = [];
  const found = (world.detections ?? []).map((one): EngineResult => ({ ...CLEAN, detected: true, ...one }));
  const opened: Opened = {
    ...SHUT,
    clock: systemClock,
    resolver: refusing(dns, isSpecialUseName),
    networks: {
      ...SHUT.networks,
      place: () => ({ ...SHUT.networks.place(''), ...world.place }),
      origin: () => (asn === undefined ? undefined : { asn, org, route }),
      autonomousSystem: (number) =>
        number === asn ? { asn, asname: 'EXAMPLE', org, country_code: 'NL', type, domain: 'example.org' } : undefined,
      totals: (number) => world.totals ?? SHUT.networks.totals(number),
      delegation: (subject) => {
        const known = 'asn' in subject ? world.given : world.delegation;
        return known && { ...DELEGATION, ...known };
      },
      marks: () => marks.map((mark): Mark => (typeof mark === 'string' ? { list: mark, label: '' } : { list: mark[0], label: mark[1] })),
      hasList: (list) => absent !== 'all' && !absent.includes(list),
    },
    lists: { staleSince: (list) => world.stale?.[list] ?? '', isAwaited: () => false },
    registries: {
      ...SHUT.registries,
      async autonomousSystem(number) {
        inquired.push(number);
        return { ...UNKNOWN_AUTNUM, ...(world.registration && { state: 'registered', answered: true, ...world.registration }) };
      },
    },
    blacklists: {
      ...SHUT.blacklists,
      async address(address, { exclude, key }) {
        asked.push({ address, exclude, key });
        return { results: [...found, CLEAN], unanswered: world.unanswered ?? [], scan_time_ms: 3 };
      },
    },
  };
  return { opened, dns, asked, inquired };
}

/** The report of a world. */
export const reportOf = (world: World) => answer(ipReputation, { ip: world.ip ?? '198.51.100.7' }, openWorld(world).opened);

/** The reverse DNS of 198.51.100.7, and what its name leads back to. */
export const named = (name: string, addresses: readonly string[] | 'SERVFAIL' | 'TIMEOUT' = ['198.51.100.7']): FakeZone => ({
  '7.100.51.198.in-addr.arpa': { PTR: [name] },
  [name]: { A: addresses },
});
