import { IssuerAnswers } from '@vedette/operations/kit';
import { createAddressPolicy } from '@vedette/probes/host';
import { shippedBrands } from '@vedette/intel/identity';
import { createTransparency } from '@vedette/intel/transparency';
import { NOWHERE } from '@vedette/intel/ports';
import type { Resolver } from '@vedette/contract';
import type { CentralContext } from '@vedette/operations/kit';

/** What a test opens for an operation: the operation's budget is laid around the resolver. */
export type Opened = Omit<CentralContext, 'resolver'> & { resolver: Resolver };

const refuse = () => Promise.reject(new Error('this port is shut'));
const isMember = (name: string | symbol): boolean => typeof name === 'string' && name !== 'then';
const SHUT_PORT: unknown = new Proxy({}, { get: (_, name) => (isMember(name) ? refuse : undefined) });

/** The same context, in which every port that the test did not open is shut: what is asked of it rejects. */
export const elseShut = <T extends object>(opened: T): T =>
  new Proxy(opened, { get: (given, name) => (name in given || !isMember(name) ? (Reflect.get(given, name) as unknown) : SHUT_PORT) });

/** What an operation works with: tables without entries, values that stay the same, and every other port shut. */
const CLOSED: Partial<Opened> = {
  resolver: { servers: [], query: refuse, addresses: refuse },
  dialler: { policy: createAddressPolicy(), tcp: refuse, operatorTcp: refuse },
  http3: { get: refuse, ready: refuse, udpVerdict: refuse },
  clock: { now: () => 0, sleep: refuse },
  ca: [],
  userAgent: 'test',
  /** Another for each context. */
  get issuers() {
    return new IssuerAnswers();
  },
  trustAnchors: [],
  networks: {
    place: () => NOWHERE,
    origin: () => undefined,
    autonomousSystem: () => undefined,
    prefixes: () => undefined,
    totals: () => ({ total_ipv4_prefixes: 0, total_ipv4_ips: 0, total_ipv6_prefixes: 0 }),
    delegation: () => undefined,
    marks: () => [],
    hasList: () => false,
  },
  names: { listings: () => [], hasList: () => false, rank: () => undefined, brands: shippedBrands },
  urls: { listings: () => [], hasList: () => false },
  mailboxes: { disposability: () => 'none' },
  phones: { isDisposable: () => false },
  torRelays: { of: () => [] },
  lists: { staleSince: () => '', isAwaited: () => false },
  transparency: createTransparency(),
  signal: new AbortController().signal,
  remainingMs: () => Infinity,
  today: () => new Date('2026-11-21T00:00:00Z'),
  isDenied: () => false,
  isOptedOut: () => Promise.resolve(false),
  waivePrice() {},
  account: { id: 'test', usage: refuse },
};

/** All of it: a test opens what its operation may use. */
export const SHUT = elseShut(CLOSED) as Opened;
