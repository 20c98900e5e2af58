import { parseIp, type Probe, ProbeFailure, type Reason, type Resolver } from '@vedette/contract';
import type { ResolverSelfTest } from '@vedette/probes/dns';
import type { SelfTest } from './self-test.ts';

/** What tells whether this machine's own network works. */
export interface OwnNetwork {
  selfTest: Pick<SelfTest, 'state'>;
  /** Undefined: the resolvers are not tested. */
  resolverTest: Pick<ResolverSelfTest, 'state' | 'vouch'> | undefined;
}

/** The last verdicts as one: beats carry it, and the count of witnesses. */
export function ownState({ selfTest, resolverTest }: OwnNetwork): ReturnType<SelfTest['state']> {
  const { ok, ...witnesses } = selfTest.state();
  return { ok: ok && resolverTest?.state.ok !== false, ...witnesses };
}

/** What we decided ourselves, whatever the network is like. */
const OWN_DECISIONS: readonly Reason[] = ['blocked_policy', 'blocked_private_address', 'too_large'];

/**
 * The probe, which does not blame a target for our own network: while the self-test fails, a target's failure is `no_network`; so is whatever was
 * asked of resolvers that do not answer for the root, since what they say of others is no word on them.
 */
export const blamingNobody = (probe: Probe, { selfTest, resolverTest }: OwnNetwork): Probe => ({
  ...probe,
  async run(spec, ports) {
    const unbelieved = () => new ProbeFailure('no_network', `its resolvers cannot be believed: ${resolverTest?.state.problem}`);
    const { resolver, asked } = watched(ports.resolver, () => {
      if (resolverTest?.state.ok === false) throw unbelieved();
    });
    const believed = async () => !asked() || resolverTest === undefined || (await resolverTest.vouch());
    try {
      const result = await probe.run(spec, { ...ports, resolver });
      if (await believed()) return result;
    } catch (error) {
      if (!(error instanceof ProbeFailure) || error.source === 'vantage' || OWN_DECISIONS.includes(error.code)) throw error;
      if (error.source === 'target' && !selfTest.state().ok)
        throw new ProbeFailure('no_network', `the self-test fails; ${error.message}`, { cause: error });
      if (await believed()) throw error;
    }
    throw unbelieved();
  },
});

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
