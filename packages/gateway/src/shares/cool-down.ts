import { ApiError, ProbeFailure, type Resolver } from '@vedette/contract';
import type { Ledger } from '@vedette/ledger';
import { ownTargets } from '@vedette/probes/host';
import type { Operation } from '@vedette/operations/kit';
import type { Parts } from '../request/parts.ts';
import type { GateRow } from './gate.ts';
import type { Target } from './targets.ts';

export interface CoolDownOptions {
  operation: string;
  seconds: number;
  coolDowns: Ledger['coolDowns'];
  /** VEDETTE_OWN_TARGETS. */
  spares: readonly string[];
}

/** A target is measured by one operation once in a while, over all accounts and gateways, by whichever of its names and addresses. */
export class CoolDown {
  readonly #options: CoolDownOptions;
  readonly #isOwn: (target: string) => boolean;

  constructor(options: CoolDownOptions) {
    this.#options = options;
    this.#isOwn = ownTargets(options.spares);
  }

  /** Begins it for the targets and their addresses, and returns its keys. Rejects with `ApiError` target_limited while it lasts for one of them. */
  async begin(targets: readonly Target[], resolver: Resolver, signal: AbortSignal): Promise<string[]> {
    const { operation, seconds, coolDowns } = this.#options;
    const strangers = targets.filter(({ host }) => !this.#isOwn(host));
    const hosts = await Promise.all(
      strangers.map(async (target) =>
        [target.host, ...(await addressesOf(target, resolver, signal))].map((host) =>
          'port' in target ? `${host} port ${target.port}` : host,
        ),
      ),
    );
    const keys = hosts.flat().map((host) => `${operation} of ${host}`);
    if (keys.length === 0) return keys;
    const leftS = await coolDowns.begin(keys, seconds);
    if (leftS > 0) throw new ApiError('target_limited', strangers[0]?.host ?? '', { retryAfterS: leftS });
    return keys;
  }

  /** Ends it, since nothing was measured for a reason of ours. */
  async end(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.#options.coolDowns.end(keys);
  }
}

/** Undefined where targets are not limited, or not in this way. */
export const coolDownOf = ({ name, coolDownS }: Operation, { ledger, rates, config }: Parts): CoolDown | undefined =>
  coolDownS === undefined || rates === undefined
    ? undefined
    : new CoolDown({ operation: name, seconds: coolDownS, coolDowns: ledger.coolDowns, spares: config.ownTargets });

/** The addresses of both families as they are seen from here: names below a wildcard share them. */
async function addressesOf({ kind, host }: Target, resolver: Resolver, signal: AbortSignal): Promise<string[]> {
  if (kind !== 'name') return [];
  const families = await Promise.all(
    ([4, 6] as const).map((family) =>
      resolver.addresses(host, family, { signal }).catch((error: unknown) => {
        if (error instanceof ProbeFailure) return [];
        throw error;
      }),
    ),
  );
  return families.flat();
}

export const COOL_DOWN_GATE: GateRow = {
  name: 'Cool-down',
  limits: 'scans of a host and of its addresses, over all accounts and gateways',
  limit: 'as the operation declares; most declare none',
  codes: ['target_limited'],
  cause: 'target',
};
