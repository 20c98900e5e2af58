import { createAddressPolicy } from '@vedette/probes/host';
import { NOWHERE } from '@vedette/intel/ports';
import type { Opened } from './answer.ts';

const refuse = () => Promise.reject(new Error('this port is shut'));

/** What an operation works with, all of it shut: a test opens what its operation may use. */
export const SHUT: Opened = {
  resolver: { servers: [], query: refuse, addresses: refuse },
  dialler: { policy: createAddressPolicy(), tcp: refuse, operatorTcp: refuse },
  http3: { get: refuse, udpWorks: refuse },
  clock: { now: () => 0, sleep: refuse },
  ca: [],
  userAgent: 'test',
  trustAnchors: [],
  networks: {
    place: () => NOWHERE,
    origin: () => undefined,
    autonomousSystem: () => undefined,
    prefixes: () => undefined,
    delegation: () => undefined,
    marks: () => [],
    hasList: () => false,
  },
  names: { listings: () => [], hasList: () => false, rank: () => undefined },
  mailboxes: { disposability: () => 'none' },
  phones: { isDisposable: () => false },
  blacklists: { address: refuse, host: refuse },
  registries: { domain: refuse, autonomousSystem: refuse },
  passiveDns: { namesAt: refuse },
  renderers: { render: refuse },
  parsers: { message: refuse },
  signal: new AbortController().signal,
  remainingMs: () => Infinity,
  today: () => new Date('2026-11-21T00:00:00Z'),
  isDenied: () => false,
  isOptedOut: () => Promise.resolve(false),
  waivePrice() {},
  account: { id: 'test', usage: refuse },
};
