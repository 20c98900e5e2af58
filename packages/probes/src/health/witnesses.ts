import {
  type AddressPolicy,
  type Clock,
  type DnsAnswer,
  type Endpoint,
  type IcmpEngine,
  parseIp,
  ProbeFailure,
  recordsOf,
  type Resolver,
  within,
} from '@vedette/contract';
import { connects } from '../net/witness/tcp.ts';
import { quicAnswers } from '../net/witness/quic.ts';
import type { Witness } from './capability-test.ts';

/** The witnesses that an operator vouches for, by what they are asked; none = that is not tested. */
export interface WitnessLists {
  /** Name servers that know the root, over UDP. */
  dns: readonly string[];
  /** Hosts that answer echoes. */
  icmp: readonly string[];
  /** Servers that accept connections. */
  tcp: readonly Endpoint[];
  /** Servers that speak QUIC. */
  quic: readonly Endpoint[];
  /** Names that our own resolvers are asked for: the same answer everywhere. */
  names: readonly string[];
}

/** The ports with which witnesses are asked. */
export interface WitnessPorts {
  policy: AddressPolicy;
  resolver: Pick<Resolver, 'query'>;
  clock: Clock;
  icmp?: Pick<IcmpEngine, 'v4' | 'v6' | 'echoes'> | undefined;
}

type Family = 4 | 6;
export const ofFamily = (family: Family, address: string): boolean => parseIp(address)?.version === family;

/** Not asked where the policy refuses the address: it may be denied, or be our own. */
const judged =
  ({ policy }: WitnessPorts, address: string, ask: (address: string, signal: AbortSignal) => Promise<string>): Witness =>
  async (signal) => {
    const verdict = policy.judge(address);
    return verdict.allowed ? await ask(verdict.address, signal) : undefined;
  };

/** Several tries are rounds. */
const ONE_ECHO = { count: 1, interval_ms: 1, wait_ms: 1_000 };

export const echoWitness = (address: string, ports: WitnessPorts & { icmp: NonNullable<WitnessPorts['icmp']> }): Witness =>
  judged(ports, address, async (judgedAddress, signal) => {
    for await (const { reply, unsent, unreachable } of ports.icmp.echoes(judgedAddress, { ...ONE_ECHO, signal }))
      return reply ? '' : (unsent ?? unreachable ?? 'no answer');
    return 'no answer';
  });

export const tcpWitness = ({ address, port }: Endpoint, ports: WitnessPorts): Witness =>
  judged(ports, address, async (judgedAddress, signal) => await connects({ address: judgedAddress, port }, signal));

export const quicWitness = ({ address, port }: Endpoint, ports: WitnessPorts): Witness =>
  judged(ports, address, async (judgedAddress) => ((await quicAnswers({ address: judgedAddress, port }, ports.clock)) ? '' : 'no answer'));

export const dnsWitness = (address: string, ports: WitnessPorts): Witness =>
  judged(ports, address, async (server, signal) => rootProblem(await ports.resolver.query('.', 'NS', { server, fresh: true, signal })));

/** A resolver list may begin with two that are silent (2 s each) before one answers. */
export const RESOLVER_WAIT_MS = 5_000;
const ASK_AGAIN_MS = 1_000;

/** Servers of the root (https://www.iana.org/domains/root/servers): the answers are the same everywhere, and have been for decades. */
const KNOWN_NAMES = [
  ['a.root-servers.net', '198.41.0.4'],
  ['k.root-servers.net', '193.0.14.129'],
] as const;
/** A resolver that must look them up first has no lie at hand. */
const KNOWN_NAMES_MS = 500;

/**
 * Our own resolvers, asked for the root, which every recursive resolver has in its cache: again each second while they are silent, which shows a
 * cure before the first question has timed out. The first answer counts, unless the resolvers lie about names that are known.
 */
export const resolverWitness =
  ({ resolver, clock }: WitnessPorts): Witness =>
  async (signal) => {
    const heard = Promise.withResolvers<DnsAnswer>();
    const enough = new AbortController();
    const ended = AbortSignal.any([signal, enough.signal]);
    const ask = async (): Promise<never> => {
      for (;;) {
        const answer = resolver.query('.', 'NS', { fresh: true, unshared: true, signal: ended });
        answer.then(heard.resolve, (error: unknown) => isSilence(error) || heard.reject(error));
        await clock.sleep(ASK_AGAIN_MS, ended);
      }
    };
    try {
      const problem = rootProblem(await Promise.race([heard.promise, ask()]));
      return (
        problem ||
        (await within(
          clock,
          KNOWN_NAMES_MS,
          ended,
          () => new ProbeFailure('cancelled'),
          (limited) => lieOf(resolver, limited),
        ))
      );
    } finally {
      enough.abort(new ProbeFailure('cancelled'));
    }
  };

/** The wrong answer to a known name, where all of them have wrong addresses; empty where one is right, or has none: its zone may be another here. */
async function lieOf(resolver: WitnessPorts['resolver'], signal: AbortSignal): Promise<string> {
  const wrong = KNOWN_NAMES.map(async ([name, address]) => {
    const answer = await resolver.query(name, 'A', { fresh: true, unshared: true, signal }).catch(() => undefined); // silence is no lie
    const found = answer ? recordsOf(answer, 'A').map(({ data }) => data) : [];
    return found.length > 0 && !found.includes(address) ? `answered ${found[0]} for ${name}` : '';
  });
  const all = await Promise.all(wrong);
  return all.every(Boolean) ? all[0]! : '';
}

const isSilence = (error: unknown): boolean => error instanceof ProbeFailure && error.code === 'dns_timeout' && error.seen === 'no answer';

/**
 * Why an answer to `. NS` cannot be the DNS's own, or ''. Where the DNS is intercepted, every name gets NXDOMAIN or the address of a
 * portal.
 */
export function rootProblem(answer: Pick<DnsAnswer, 'rcode' | 'answers'>): string {
  if (answer.rcode !== 'NOERROR') return `answered ${answer.rcode} for the root`;
  return recordsOf(answer, 'NS').some(({ name }) => name === '.') ? '' : 'answered without the name servers of the root';
}
