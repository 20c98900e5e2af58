import type { CapabilityVerdict, Health, NameAnswer, NetworkCapability } from '@vedette/probes/health';

interface Told {
  /** Capabilities whose witnesses are silent. */
  bad?: readonly NetworkCapability[];
  /** Whether they ever answered: what needs them fails at once. */
  broken?: boolean;
  /** Whether the network as a whole works. */
  up?: () => boolean;
  /** Whether the resolvers know the root now, in place of `bad`. */
  vouches?: () => boolean;
  problem?: string;
  names?: readonly NameAnswer[];
}

/** A machine that is as well as is said, asked nothing. */
export function fakeHealth({ bad = [], broken = false, up = () => true, vouches, problem = '', names = [] }: Told = {}): Health {
  const verdict = (capability: NetworkCapability): CapabilityVerdict => (bad.includes(capability) ? 'bad' : 'good');
  const fake: Omit<Health, 'start' | 'stop' | 'watch'> = {
    verdict,
    isBroken: (capability) => broken && bad.includes(capability),
    badSince: () => 0,
    down: () => [...bad],
    problem: () => problem,
    doubt: async (capability) => verdict(capability),
    heard: () => undefined,
    get network() {
      return { ok: up(), failing: up() ? 0 : 3, witnesses: 3 };
    },
    networkSince: async () => up(),
    dnsSince: async () => up(),
    vouch: async () => vouches?.() ?? verdict('resolver') !== 'bad',
    unanswered: () => undefined,
    names: () => names,
  };
  return { ...fake, watch: () => undefined, start: () => undefined, stop: () => undefined };
}
