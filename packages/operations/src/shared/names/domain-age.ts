import type { CentralContext } from '../../kit/index.ts';
import type { DomainRegistration } from '@vedette/intel/ports';
import { unheard } from './unheard.ts';

/** The age of a domain, or the reason why it is unknown. */
export type KnownAge = Pick<DomainRegistration, 'state' | 'created' | 'problem'>;

/**
 * Asks the registry of a domain, or only the cache. Throws `ApiError` target_limited, which is free, where our own pacing kept the question
 * back: of two domains registered on one day the report would call one recent and not the other.
 */
export async function askRegistry(
  domain: string,
  { timeout_ms, cachedOnly }: { timeout_ms: number; cachedOnly: boolean },
  { registries, resolver, dialler, isDenied, account, signal }: CentralContext,
): Promise<KnownAge> {
  const found = await registries.domain(domain, { resolver, dialler, isDenied, account, signal, timeout_ms, cachedOnly });
  if (found.state === 'unknown' && found.retry_after_s > 0) throw unheard(found);
  return found;
}

const UNDATED: Record<DomainRegistration['state'], string> = {
  registered: 'The registry does not say when it was registered',
  unregistered: 'The registry knows no such domain',
  unknown: 'No registry was asked',
};

/** Why the age of a domain is not known. */
export const whyUndated = ({ state, problem }: KnownAge): string => (problem === '' ? UNDATED[state] : problem);
