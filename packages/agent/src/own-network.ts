import {
  type Clock,
  type Echo,
  ENDED,
  parseIp,
  type Probe,
  ProbeFailure,
  type ProbePorts,
  type Resolver,
  SILENCE,
} from '@vedette/contract';
import type { NetworkState, Health } from '@vedette/probes/health';

/** Tells whether this machine's own network works. */
export interface OwnNetwork {
  health: Pick<
    Health,
    'verdict' | 'isBroken' | 'badSince' | 'problem' | 'doubt' | 'heard' | 'network' | 'networkSince' | 'dnsSince' | 'vouch'
  >;
  /** The families of which this machine has an address that leads out of it. */
  families: () => readonly (4 | 6)[];
  /** That of the tests, which runs on while a job is parked. */
  clock: Pick<Clock, 'now'>;
}

/** The last verdicts as one: beats carry it, and the count of witnesses. */
export function ownState(health: Pick<Health, 'network' | 'verdict'>): NetworkState {
  const { ok, ...witnesses } = health.network;
  return { ok: ok && health.verdict('resolver') !== 'bad', ...witnesses };
}

/** Kept back from a probe's time at least, to learn whose its failure is. */
const VERDICT_MS = 500;
const VERDICT_SHARE = 0.05;
/** The handling of the verdict may take that long. */
const REPORT_MS = 20;
/** A job that has heard nothing for so long may end in silence: the witnesses are asked. Longer than a look-up and a connect take to the other side of the world. */
const DOUBT_MS = 2_000;

/**
 * The probe, which does not blame a target for our own network. Nothing is sent by a capability that does not work: the run fails at
 * once. Silence is ours where the witnesses of the capability are silent too: `no_network`, `no_ipv6` or `icmp_blocked`. Questions to resolvers that do
 * not answer for the root end as `no_network`, since such resolvers' answers say nothing about the targets. A run without any answer ends as soon
 * as the network is known to be down.
 */
export const blamingNobody = (probe: Probe, network: OwnNetwork): Probe => ({
  ...probe,
  async run(spec, ports) {
    const { health } = network;
    const contact = new Contact(ports, network);
    const { resolver, used } = watched(ports.resolver, () => {
      if (health.verdict('resolver') === 'bad') throw unbelieved(health);
    });
    const verdictMs = Math.min(VERDICT_MS, ports.budget_ms * VERDICT_SHARE);
    const since = network.clock.now();
    const beside = health.vouch();
    const ended = new AbortController();
    const hopeless = new AbortController();
    const doubt = async (): Promise<void> => {
      await ports.clock.sleep(Math.min(DOUBT_MS, ports.budget_ms / 2), ended.signal);
      const failure = contact.heard ? undefined : await contact.failure();
      if (failure && !contact.heard) hopeless.abort(failure);
    };
    doubt().catch(() => undefined); // the run has ended
    const ours = async (error?: ProbeFailure): Promise<ProbeFailure | undefined> => {
      if (used() && !(await beside)) return unbelieved(health);
      if (error === undefined) return undefined;
      if (error.code === 'no_network') return contact.familyLacking(error);
      if (!SILENCE.includes(error.code)) return undefined;
      if (used() && !(await health.vouch())) return unbelieved(health);
      // A resolver that has only its cache left knows the root.
      if (used() && error.source === 'resolver' && !(await health.dnsSince(since))) return cutOff(error);
      // A resolver beside us has lost its IPv6 with ours, and waits for the servers that it asks over it.
      const isLost6 = used() && error.source === 'resolver' && (await health.doubt('udp6', since)) === 'bad' && health.isBroken('udp6');
      return isLost6 ? new ProbeFailure('no_ipv6', '', { cause: error }) : await contact.failure(error);
    };
    // Begun with the run: by its clock a parked run has more time left than there is.
    const tooLate = ports.clock.sleep(Math.max(ports.budget_ms - REPORT_MS, 0), ended.signal).catch(() => undefined);
    /** The verdict, or none where it takes longer than there is time: what was measured counts then. */
    const intime = (verdict: Promise<ProbeFailure | undefined>) => Promise.race([verdict, tooLate]);
    try {
      const signal = AbortSignal.any([ports.signal, hopeless.signal]);
      const result = await probe.run(spec, { ...contact.ports, signal, resolver, budget_ms: ports.budget_ms - verdictMs });
      const failure = await intime(ours());
      if (failure === undefined) return result;
      throw failure;
    } catch (error) {
      if (hopeless.signal.aborted) throw hopeless.signal.reason;
      if (!(error instanceof ProbeFailure) || (error.source === 'vantage' && error.code !== 'no_network')) throw error;
      throw (await intime(ours(error))) ?? error;
    } finally {
      ended.abort(ENDED);
    }
  },
});

const unbelieved = (health: Pick<Health, 'problem'>): ProbeFailure =>
  new ProbeFailure('no_network', `its resolvers cannot be believed: ${health.problem('resolver')}`);

const cutOff = (error: ProbeFailure | undefined): ProbeFailure =>
  new ProbeFailure('no_network', ['the witnesses are silent too', error?.message].filter(Boolean).join('; '), { cause: error });

type PathTracer = NonNullable<ProbePorts['icmp']['paths']>;
type PathOutcome = Awaited<Awaited<ReturnType<PathTracer['send']>>['outcome']>;

type Sent = `${'icmp' | 'tcp' | 'udp'}${4 | 6}`;
const familyOf = (capability: Sent): 4 | 6 => (capability.endsWith('6') ? 6 : 4);

/** The destinations of a run, and whether any answer has come back. */
class Contact {
  readonly ports: ProbePorts;
  heard = false;
  readonly #network: OwnNetwork;
  readonly #startedAt: number;
  /** When something was last sent, by what it needs. */
  readonly #sentAt = new Map<Sent, number>();

  constructor(ports: ProbePorts, network: OwnNetwork) {
    this.#network = network;
    this.#startedAt = network.clock.now();
    const { dialler, icmp } = ports;
    this.ports = {
      ...ports,
      health: network.health,
      dialler: {
        policy: dialler.policy,
        tcp: (options) => this.#connected(options.address, () => dialler.tcp(options)),
        operatorTcp: (options) => this.#connected(undefined, () => dialler.operatorTcp(options)),
      },
      icmp:
        icmp &&
        Object.create(icmp, {
          echoes: { value: (...how: Parameters<typeof icmp.echoes>) => this.#echoes(icmp, ...how) },
          paths: { value: icmp.paths && { send: (...how: Parameters<PathTracer['send']>) => this.#traced(icmp.paths!, ...how) } },
        }),
    };
  }

  /** Why a run got no answer, when our side is at fault: no witness of what it sent has answered since, either. */
  async failure(seen?: ProbeFailure): Promise<ProbeFailure | undefined> {
    const { health } = this.#network;
    if (this.#sentAt.size === 0) return (await health.networkSince(this.#startedAt)) ? undefined : cutOff(seen);
    const failures = await Promise.all(Array.from(this.#sentAt, ([capability, since]) => this.#failureOf(capability, since, seen)));
    return failures.every(Boolean) ? failures[0] : undefined;
  }

  async #failureOf(capability: Sent, since: number, seen: ProbeFailure | undefined): Promise<ProbeFailure | undefined> {
    const { health } = this.#network;
    // Whether only echoes are lost, or the family with them.
    const family = health.doubt(`tcp${familyOf(capability)}`, since);
    const [verdict, isUp] = await Promise.all([health.doubt(capability, since), health.networkSince(since), family]);
    if (verdict === 'good') return undefined;
    if (!isUp) return cutOff(seen);
    return verdict === 'bad' ? await this.#lacking(capability, since, seen) : undefined;
  }

  /** Why nothing that needs the capability is sent. Of a dead uplink's capabilities one is the first to be found bad: the others are asked since. */
  async #lacking(capability: Sent, since: number, cause?: ProbeFailure): Promise<ProbeFailure> {
    const { health } = this.#network;
    if (!health.network.ok || !(await health.networkSince(since))) return cutOff(cause);
    const family = familyOf(capability);
    const isEcho = capability.startsWith('icmp');
    // One word: gateways print no more of what an agent says of itself.
    if (isEcho && (await health.doubt(`tcp${family}`, since)) !== 'bad') return new ProbeFailure('icmp_blocked', `IPv${family}`, { cause });
    return family === 6 ? new ProbeFailure('no_ipv6', '', { cause }) : new ProbeFailure('no_network', capability, { cause });
  }

  /** The verdict where this machine itself refused to send: its network may work all the same. */
  familyLacking(error: ProbeFailure): ProbeFailure | undefined {
    const { families, health } = this.#network;
    const here = families();
    const used = new Set(Array.from(this.#sentAt.keys(), familyOf));
    if (used.size !== 1 || here.length === 0) return undefined;
    if (used.has(6)) return here.includes(4) && health.network.ok ? new ProbeFailure('no_ipv6', '', { cause: error }) : undefined;
    return here.includes(4) ? undefined : new ProbeFailure('unsupported', 'IPv4', { cause: error });
  }

  async #sends(capability: Sent): Promise<void> {
    const { health } = this.#network;
    if (health.isBroken(capability)) throw await this.#lacking(capability, health.badSince(capability));
    this.#sentAt.set(capability, this.#network.clock.now());
  }

  #hears(capability: Sent): void {
    this.heard = true;
    this.#network.health.heard(capability);
  }

  async #connected<T>(address: string | undefined, connect: () => Promise<T>): Promise<T> {
    const capability = address === undefined ? undefined : (`tcp${parseIp(address)!.version}` as const);
    if (capability !== undefined) await this.#sends(capability);
    const socket = await connect();
    if (capability === undefined) this.heard = true;
    else this.#hears(capability);
    return socket;
  }

  async #traced(paths: PathTracer, ...[address, packet, signal]: Parameters<PathTracer['send']>): ReturnType<PathTracer['send']> {
    await this.#sends(`${packet.protocol}${parseIp(address)!.version}`);
    const { outcome } = await paths.send(address, packet, signal);
    return { outcome: outcome.then((known) => this.#hear(known)) };
  }

  #hear(outcome: PathOutcome): PathOutcome {
    if (outcome.answer) this.heard = true;
    return outcome;
  }

  async *#echoes(icmp: ProbePorts['icmp'], ...[address, options]: Parameters<ProbePorts['icmp']['echoes']>): AsyncGenerator<Echo> {
    const capability = `icmp${parseIp(address)!.version}` as const;
    await this.#sends(capability);
    for await (const echo of icmp.echoes(address, options)) {
      if (echo.reply) this.#hears(capability);
      yield echo;
    }
  }
}

/** The resolver, and whether its servers were asked for more than additions; `before` each question to them it may be refused. */
function watched(resolver: Resolver, before: () => void): { resolver: Resolver; used(): boolean } {
  let used = false;
  const ask = (isAddition = false) => {
    before();
    used ||= !isAddition;
  };
  return {
    used: () => used,
    resolver: {
      servers: resolver.servers,
      async query(name, type, options) {
        if (options?.server === undefined) ask(options?.addition);
        return await resolver.query(name, type, options);
      },
      async addresses(host, family, options) {
        if (!parseIp(host)) ask();
        return await resolver.addresses(host, family, options);
      },
    },
  };
}
