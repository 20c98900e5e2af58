import { ApiError, isProtectedHost, type ParsedUrl, ProbeFailure } from '@vedette/contract';
import type { CentralContext } from '../kit/index.ts';
import { browserAgentOf, NO_PAGE, type PageOptions, ProxyFailure, type Visit, visitPage } from '@vedette/probes/http';
import type { UrlStatusQuery } from './query.ts';

type ForAll =
  | 'resolver' | 'dialler' | 'clock' | 'ca' | 'userAgent' | 'signal' | 'now' | 'protocol' | 'requestFields' | 'connect_ms' | 'proxy' | 'refuse' | 'isOptedOut'; // prettier-ignore

/** The state of one visit. */
type VisitOptions = Omit<PageOptions, ForAll | 'originFields'>;

/**
 * Visits a URL as the query wants all of its requests made. Rejects as `visitPage` does, and with `ApiError` upstream_failed where this machine has
 * no way out.
 */
export async function visit(query: UrlStatusQuery, context: CentralContext, options: VisitOptions): Promise<Visit> {
  const { resolver, dialler, clock, ca, userAgent, signal, isOptedOut } = context;
  const visited = await visitPage({
    resolver,
    dialler,
    clock,
    ca,
    userAgent: browserAgentOf(query.agent, userAgent),
    signal,
    now: context.today(),
    protocol: query.http2 ? 'any' : 'http/1.1',
    requestFields: query.fields,
    // Credentials are for one origin, whatever it refers to.
    originFields: { origin: query.start.url.origin, fields: query.credentials },
    connect_ms: query.connect_ms,
    proxy: query.proxy,
    refuse: refusal(context),
    isOptedOut,
    ...options,
  });
  const cause = visited.hops.find(({ failure }) => failure?.code === 'no_network')?.failure;
  if (cause) throw new ApiError('upstream_failed', 'this service has no working network', { retryAfterS: 5, cause });
  return visited;
}

/**
 * The same for where the chain begins: where the client's proxy fails nothing is known of the target, and its first URL stands alone with
 * `proxy_failed`. Rejects with `ApiError` for a proxy that may not be contacted, and where this machine cannot reach it for a reason of its own.
 */
export async function visitThrough(
  query: UrlStatusQuery,
  context: CentralContext,
  options: Omit<VisitOptions, 'url' | 'basic'>,
): Promise<Visit> {
  const { url, basic } = query.start;
  const started = context.clock.now();
  try {
    return await visit(query, context, { url: url.href, basic, ...options });
  } catch (error) {
    if (!(error instanceof ProxyFailure)) throw error;
    return withoutProxy(query.start, proxyFailure(error), Math.round(context.clock.now() - started));
  }
}

const withoutProxy = (target: ParsedUrl, failure: ProbeFailure, elapsed_ms: number): Visit => ({
  end: 'failed',
  hops: [
    {
      url: target.url.href,
      location: target.url,
      target,
      shown: target.url.href,
      signedIn: false,
      failure,
      remoteAddress: '',
      attempts: [],
      elapsed_ms,
      version: '',
      head: undefined,
      tls: undefined,
      redirect: undefined,
    },
  ],
  page: NO_PAGE,
});

/** Throws `ProbeFailure` blocked_policy for a name that must not be contacted. */
export const refusal =
  ({ isDenied }: Pick<CentralContext, 'isDenied'>) =>
  (name: string): void => {
    if (isDenied(name) || isProtectedHost(name)) throw new ProbeFailure('blocked_policy', name);
  };

/** The failure of the client's proxy; it was contacted, so the request is paid for. Throws `ApiError`. */
function proxyFailure(failure: ProxyFailure): ProbeFailure {
  const options = { param: 'custom_proxy', cause: failure };
  switch (failure.code) {
    case 'blocked_private_address':
      throw new ApiError('private_address', 'custom_proxy', options);
    case 'blocked_policy':
      throw new ApiError('denied_target', 'custom_proxy', options);
    case 'no_network':
      throw new ApiError('upstream_failed', 'this service has no working network', { ...options, retryAfterS: 5 });
    default:
      return new ProbeFailure('proxy_failed', failure.seen, { cause: failure });
  }
}
