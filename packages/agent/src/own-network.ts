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
import type { PathState, ResolverSelfTest, WitnessTest } from '@vedette/probes/dns';

/** Tells whether this machine's own network works. */
export interface OwnNetwork {
  witnessTest: Pick<WitnessTest, 'state' | 'works' | 'confirm' | 'heard'>;
  /** Undefined: the resolvers are not tested. */
  resolverTest: Pick<ResolverSelfTest, 'state' | 'vouch'> | undefined;
  /** The families of which this machine has an address that leads out of it. */
  families: () => readonly (4 | 6)[];
  /** That of the tests, which runs on while a job is parked. */
  clock: Pick<Clock, 'now'>;
}

/** The last verdicts as one: beats carry it, and the count of witnesses. */
export function ownState({ witnessTest, resolverTest }: Pick<OwnNetwork, 'witnessTest' | 'resolverTest'>): PathState {
  const { ok, ...witnesses } = witnessTest.state;
  return { ok: ok && resolverTest?.state.ok !== false, ...witnesses };
}

/** Kept back from a probe's time at least, to learn whose its failure is. */
const VERDICT_MS = 500;
const VERDICT_SHARE = 0.05;
/** The handling of the verdict may take that long. */
const REPORT_MS = 20;
/** A job that has heard nothing for so long may end in silence: the witnesses are asked. Longer than a look-up and a connect take to the other side of the world. */
const DOUBT_MS = 2_000;

/**
 * The probe, which does not blame a target for our own network: silence is `no_network` while the witnesses are silent too, and
 * `unsupported` where only the family or the echoes lead nowhere; Questions to resolvers that do not answer for the root end as
 * `no_network`, since such resolvers' answers say nothing about the targets. A run without any answer ends as soon as the network is known
 * to be down.
 */
export const blamingNobody = (probe: Probe, network: OwnNetwork): Probe => ({
  ...probe,
  async run(spec, ports) {
    const { resolverTest } = network;
    const contact = new Contact(ports, network);
    const { resolver, used } = watched(ports.resolver, () => {
      if (resolverTest?.state.ok === false) throw unbelieved(resolverTest);
    });
    const verdictMs = Math.min(VERDICT_MS, ports.budget_ms * VERDICT_SHARE);
    const beside = resolverTest?.vouch();
    const ended = new AbortController();
    const hopeless = new AbortController();
    const doubt = async (): Promise<void> => {
      await ports.clock.sleep(Math.min(DOUBT_MS, ports.budget_ms / 2), ended.signal);
      const failure = contact.heard ? undefined : (contact.knownFailure() ?? (await contact.failure()));
      if (failure && !contact.heard) hopeless.abort(failure);
    };
    doubt().catch(() => undefined); // the run has ended
    const ours = async (error?: ProbeFailure): Promise<ProbeFailure | undefined> => {
      if (used() && resolverTest && !(await beside)) return unbelieved(resolverTest);
      if (error === undefined) return undefined;
      if (error.code === 'no_network') return contact.familyLacking(error);
      if (!SILENCE.includes(error.code)) return undefined;
      if (used() && resolverTest && !(await resolverTest.vouch())) return unbelieved(resolverTest);
      return await contact.failure(error);
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

const unbelieved = ({ state }: Pick<ResolverSelfTest, 'state'>): ProbeFailure =>
  new ProbeFailure('no_network', `its resolvers cannot be believed: ${state.problem}`);

const cutOff = (error: ProbeFailure | undefined): ProbeFailure =>
  new ProbeFailure('no_network', ['the witnesses are silent too', error?.message].filter(Boolean).join('; '), { cause: error });

type PathTracer = NonNullable<ProbePorts['icmp']['paths']>;
type PathOutcome = Awaited<Awaited<ReturnType<PathTracer['send']>>['outcome']>;

/** One word: gateways print no more of what an agent says of itself. */
const lacking = (what: string, cause: ProbeFailure | undefined): ProbeFailure => new ProbeFailure('unsupported', what, { cause });

/** The last destination of a run, and whether any answer has come back. */
class Contact {
  readonly ports: ProbePorts;
  heard = false;
  readonly #network: OwnNetwork;
  #since: number;
  readonly #families = new Set<4 | 6>();
  #isEcho = false;

  constructor(ports: ProbePorts, network: OwnNetwork) {
    this.#network = network;
    this.#since = network.clock.now();
    const { dialler, icmp } = ports;
    this.ports = {
      ...ports,
      dialler: {
        policy: dialler.policy,
        tcp: (options) => this.#connected(options.address, dialler.tcp(options)),
        operatorTcp: (options) => this.#connected(undefined, dialler.operatorTcp(options)),
      },
      icmp:
        icmp &&
        Object.create(icmp, {
          echoes: { value: (...how: Parameters<typeof icmp.echoes>) => this.#echoes(icmp, ...how) },
          paths: { value: icmp.paths && { send: (...how: Parameters<PathTracer['send']>) => this.#traced(icmp.paths!, ...how) } },
        }),
    };
  }

  /** Why the network is down, by the last tests, which repeat while they fail. */
  knownFailure(): ProbeFailure | undefined {
    const { witnessTest } = this.#network;
    const families = [...this.#families];
    if (families.some((family) => witnessTest.works(`ip${family}`))) return undefined;
    return witnessTest.state.ok ? families.map((family) => lacking(`IPv${family}`, undefined))[0] : cutOff(undefined);
  }

  /** Why a run got no answer, when our side is at fault: the witnesses have not answered either since it sent something. */
  async failure(seen?: ProbeFailure): Promise<ProbeFailure | undefined> {
    if (this.#families.size === 0) return (await this.#network.witnessTest.confirm(this.#since)) ? undefined : cutOff(seen);
    const failures = await Promise.all(Array.from(this.#families, (family) => this.#failureOver(family, seen)));
    return failures.every(Boolean) ? failures[0] : undefined;
  }

  async #failureOver(family: 4 | 6, error: ProbeFailure | undefined): Promise<ProbeFailure | undefined> {
    const { witnessTest } = this.#network;
    const since = this.#since;
    const [leads, echoes] = await Promise.all([
      witnessTest.confirm(since, `ip${family}`),
      !this.#isEcho || witnessTest.confirm(since, `icmp${family}`),
    ]);
    if (!leads) return (await witnessTest.confirm(since)) ? lacking(`IPv${family}`, error) : cutOff(error);
    return echoes ? undefined : lacking(family === 4 ? 'ICMP' : 'ICMPv6', error);
  }

  /** The verdict of a machine without the addresses' family: its network works. */
  familyLacking(error: ProbeFailure): ProbeFailure | undefined {
    const here = this.#network.families();
    const [family] = this.#families;
    const lacks = family !== undefined && here.length > 0 && ![...this.#families].some((one) => here.includes(one));
    return lacks ? lacking(`IPv${family}`, error) : undefined;
  }

  #sendsTo(address: string, isEcho: boolean): void {
    this.#since = this.#network.clock.now();
    this.#families.add(parseIp(address)!.version);
    this.#isEcho = isEcho;
  }

  async #connected<T>(address: string | undefined, connecting: Promise<T>): Promise<T> {
    if (address !== undefined) this.#sendsTo(address, false);
    const socket = await connecting;
    this.heard = true;
    if (address !== undefined) this.#network.witnessTest.heard(`ip${parseIp(address)!.version}`);
    return socket;
  }

  async #traced(paths: PathTracer, ...[address, packet, signal]: Parameters<PathTracer['send']>): ReturnType<PathTracer['send']> {
    this.#sendsTo(address, packet.protocol === 'icmp');
    const { outcome } = await paths.send(address, packet, signal);
    return { outcome: outcome.then((known) => this.#hear(known)) };
  }

  #hear(outcome: PathOutcome): PathOutcome {
    if (outcome.answer) this.heard = true;
    return outcome;
  }

  async *#echoes(icmp: ProbePorts['icmp'], ...[address, options]: Parameters<ProbePorts['icmp']['echoes']>): AsyncGenerator<Echo> {
    this.#sendsTo(address, true);
    for await (const echo of icmp.echoes(address, options)) {
      if (echo.reply) {
        this.heard = true;
        this.#network.witnessTest.heard(`icmp${parseIp(address)!.version}`);
      }
      yield echo;
    }
  }
}

/** The resolver, and whether anything was asked of its servers; `before` each such question it may be refused. */
function watched(resolver: Resolver, before: () => void): { resolver: Resolver; used(): boolean } {
  let used = false;
  const ask = () => {
    before();
    used = true;
  };
  return {
    used: () => used,
    resolver: {
      servers: resolver.servers,
      async query(name, type, options) {
        if (options?.server === undefined) ask();
        return await resolver.query(name, type, options);
      },
      async addresses(host, family, options) {
        if (!parseIp(host)) ask();
        return await resolver.addresses(host, family, options);
      },
    },
  };
}
