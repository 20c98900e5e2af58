import type { AutonomousSystem, BlacklistCheck, Delegation, Mark, Networks, Origin } from '../ports/index.ts';
import { judgeAll } from '@vedette/contract';
import { amazonService, cloudOf, edgeOf, type Provider } from './clouds.ts';
import { type Crawler, crawlerByName, crawlerByRange } from './crawlers.ts';
import { unknownTraits } from './data.ts';
import { ADDRESS_USES, type AddressFacts, ANONYMITY } from './fields.ts';
import type { ReverseDns } from './reverse-dns.ts';
import { sendersOf, serviceOf } from './services.ts';
import { PUBLIC_RESOLVERS, ROOT_NAME_SERVERS } from './well-known.ts';

/** All that was found out about one address. */
export interface AddressEvidence {
  /** Canonical text. */
  address: string;
  networks: Pick<Networks, 'hasList'>;
  marks: readonly Mark[];
  origin: Origin | undefined;
  system: AutonomousSystem | undefined;
  delegation: Delegation | undefined;
  /** Undefined where it was not asked for. */
  reverse: ReverseDns | undefined;
  check: BlacklistCheck;
}

/** The known traits of an address. False also stands for unknown traits; `unknown` tells these apart. */
export type AddressTraits = ReturnType<typeof judgeAddress>;

const NO_PROVIDER: Provider = { name: '', domain: '' };

/** Judges an address by the lists that it is on, its holder, its names and what engines said of it. */
export function judgeAddress(evidence: AddressEvidence) {
  const { address, networks, marks, origin, system, delegation, reverse, check } = evidence;
  const hasList = (list: string): boolean => networks.hasList(list);
  const on = (...lists: readonly string[]): boolean => marks.some(({ list }) => lists.includes(list));
  const said = (meaning: string): boolean => check.results.some(({ detected, meanings }) => detected && meanings.includes(meaning));
  const asn = origin?.asn ?? 0;
  const { crawler: robot, fake } = judgeRobots(marks, reverse, hasList);
  const resolver = PUBLIC_RESOLVERS.get(address) ?? '';
  const cloud = cloudOf(marks, asn, hasList);
  const edge = edgeOf(marks, asn, hasList);
  const facts: AddressFacts = { on, said, hasList, asn, system, delegation, cloud, edge, robot, fake, resolver };
  return {
    // The machines of a public resolver belong to no cloud or edge service.
    cloud: cloud ?? NO_PROVIDER,
    cloudvendor_service: amazonService(marks),
    edge: (resolver === '' ? edge : undefined) ?? NO_PROVIDER,
    service: serviceOf(marks, robot),
    public_resolver: resolver,
    root_server: ROOT_NAME_SERVERS.get(address) ?? '',
    senders: sendersOf(marks),
    // A front serves thousands of sites of others.
    is_criminal_as: on('spamhaus-asndrop') && edge === undefined,
    fake_of: fake?.name ?? '',
    scanner: robot?.scans === true ? robot.name : '',
    vpn_provider: marks.find(({ list, label }) => list === 'vpn-providers' && label !== '')?.label ?? '',
    uses: judgeAll(ADDRESS_USES, facts),
    anonymity: judgeAll(ANONYMITY, facts),
    missing: unknownTraits(hasList),
  };
}

/**
 * Finds the owner of a robot: by published ranges, else by a confirmed reverse name. One is false whose name says it is a robot's while the
 * name's own addresses do not lead back, or, where the DNS did not say, while the owner publishes all of its ranges and this is in none.
 * Some owners give their robots' names no addresses at all: such a name proves nothing either way.
 */
function judgeRobots(
  marks: readonly Mark[],
  reverse: ReverseDns | undefined,
  hasList: (list: string) => boolean,
): { crawler: Crawler | undefined; fake: Crawler | undefined } {
  const ranged = crawlerByRange(marks);
  if (ranged) return { crawler: ranged, fake: undefined };
  const names = reverse?.names ?? [];
  const proven = names.filter(({ leadsBack }) => leadsBack === 'yes').flatMap(({ name }) => crawlerByName(name) ?? [])[0];
  if (proven) return { crawler: proven, fake: undefined };
  for (const { name, leadsBack } of names) {
    const claimed = crawlerByName(name);
    const outside = claimed?.complete === true && claimed.lists.every(hasList);
    const leadsAway = leadsBack === 'no' || (leadsBack === 'nowhere' && claimed?.oneWay !== true);
    if (claimed && (leadsAway || outside)) return { crawler: undefined, fake: claimed };
  }
  return { crawler: undefined, fake: undefined };
}
