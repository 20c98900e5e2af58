import { ENDED, parseIp, type Probe, ProbeFailure, type ProbePorts, type Resolver, SILENCE } from '@vedette/contract';
import type { ResolverSelfTest, WitnessState, WitnessTest } from '@vedette/probes/dns';

/** What tells whether this machine's own network works. */
export interface OwnNetwork {
  witnessTest: Pick<WitnessTest, 'state' | 'confirm'>;
  /** Undefined: the resolvers are not tested. */
  resolverTest: Pick<ResolverSelfTest, 'state' | 'vouch'> | undefined;
}

/** The last verdicts as one: beats carry it, and the count of witnesses. */
export function ownState({ witnessTest, resolverTest }: OwnNetwork): WitnessState {
  const { ok, ...witnesses } = witnessTest.state;
  return { ok: ok && resolverTest?.state.ok !== false, ...witnesses };
}

/** Kept back from a probe's time at least, to learn whose its failure is. */
const VERDICT_MS = 500;
const VERDICT_SHARE = 0.05;
/** What is done with the verdict may take that long. */
const REPORT_MS = 20;

/**
 * The probe, which does not blame a target for our own network: silence is `no_network` while the witnesses are silent too; so is whatever was
 * asked of resolvers that do not answer for the root, since what they say of others is no word on them.
 */
export const blamingNobody = (probe: Probe, network: OwnNetwork): Probe => ({
  ...probe,
  async run(spec, ports) {
    const { resolverTest } = network;
    const { resolver, asked } = watched(ports.resolver, () => {
      if (resolverTest?.state.ok === false) throw unbelieved(resolverTest);
    });
    const verdictMs = Math.min(VERDICT_MS, ports.budget_ms * VERDICT_SHARE);
    const beside = resolverTest?.vouch();
    const ended = new AbortController();
    // Whoever takes long may end in silence: by then the witnesses have been heard.
    void halfTime(ports, ended.signal).then((slow) => slow && network.witnessTest.confirm());
    const ours = async (error?: ProbeFailure): Promise<ProbeFailure | undefined> => {
      if (asked() && resolverTest && !(await beside)) return unbelieved(resolverTest);
      if (error === undefined || !SILENCE.includes(error.code)) return undefined;
      if (asked() && resolverTest && !(await resolverTest.vouch())) return unbelieved(resolverTest);
      if (await network.witnessTest.confirm()) return undefined;
      return new ProbeFailure('no_network', `the witnesses are silent too; ${error.message}`, { cause: error });
    };
    // Begun with the run: by its clock a parked run has more time left than there is.
    const tooLate = ports.clock.sleep(Math.max(ports.budget_ms - REPORT_MS, 0), ended.signal).catch(() => undefined);
    /** The verdict, or none where it takes longer than there is time: what was measured counts then. */
    const intime = (verdict: Promise<ProbeFailure | undefined>) => Promise.race([verdict, tooLate]);
    try {
      const result = await probe.run(spec, { ...ports, resolver, budget_ms: ports.budget_ms - verdictMs });
      const failure = await intime(ours());
      if (failure === undefined) return result;
      throw failure;
    } catch (error) {
      if (!(error instanceof ProbeFailure) || error.source === 'vantage') throw error;
      throw (await intime(ours(error))) ?? error;
    } finally {
      ended.abort(ENDED);
    }
  },
});

const unbelieved = ({ state }: Pick<ResolverSelfTest, 'state'>): ProbeFailure =>
  new ProbeFailure('no_network', `its resolvers cannot be believed: ${state.problem}`);

/** Whether half of the time was gone when the signal aborted. */
const halfTime = ({ clock, budget_ms }: ProbePorts, ended: AbortSignal): Promise<boolean> =>
  clock.sleep(budget_ms / 2, ended).then(
    () => true,
    () => false,
  );

/** The resolver, and whether anything was asked of its servers; `before` each such question it may be refused. */
function watched(resolver: Resolver, before: () => void): { resolver: Resolver; asked(): boolean } {
  let asked = false;
  const ask = () => {
    before();
    asked = true;
  };
  return {
    asked: () => asked,
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
