import { ApiError, isProtectedHost, ProbeFailure } from '@vedette/contract';
import { type PageOptions, type Visit, visitPage } from '@vedette/probes/http';
import type { CentralContext } from '../../kit/index.ts';

type Given = 'resolver' | 'dialler' | 'clock' | 'ca' | 'userAgent' | 'signal' | 'now' | 'refuse' | 'isOptedOut';

/** Visits a URL in our own name, where nobody has forbidden it. Throws `ApiError` upstream_failed where this machine has no way out. */
export async function visited(options: Omit<PageOptions, Given>, context: CentralContext): Promise<Visit> {
  const { resolver, dialler, clock, ca, userAgent, signal, isDenied, isOptedOut } = context;
  const visit = await visitPage({
    resolver,
    dialler,
    clock,
    ca,
    userAgent,
    signal,
    now: context.today(),
    refuse(name) {
      if (isDenied(name) || isProtectedHost(name)) throw new ProbeFailure('blocked_policy', name);
    },
    isOptedOut,
    ...options,
  });
  const isOurs = visit.hops.some(({ failure }) => failure?.code === 'no_network');
  if (isOurs) throw new ApiError('upstream_failed', `this service has no route to ${visit.hops[0]!.location.host}`, { retryAfterS: 5 });
  return visit;
}
