import type { ParsedUrl } from '@vedette/contract';
import type { AnswerFields, SeenVisit } from '@vedette/web/headers';
import type { CentralContext } from '../kit/index.ts';
import { visitSite } from '../site-trust/index.ts';

export interface HeadersQuery {
  /** The requested URL as written, its password masked. */
  written: string;
  start: ParsedUrl;
  /** Whether the page where redirects lead is judged, and not the first answer. */
  follow: boolean;
}

export type Visited = Awaited<ReturnType<typeof visitSite>>;

/** The visits over both schemes. A URL with a port of its own is asked by its own scheme alone: the other one has another port, which is not known. */
export interface Visits {
  https: Visited | undefined;
  http: Visited | undefined;
}

const PREFLIGHT_MS = 5_000;
/** An origin that no site can know: nothing can have this name (RFC 6761 §6.4). */
export const ORIGIN = 'https://origin.invalid';

/** Visits the URL over https and http, at most nine requests each. Throws `ApiError` upstream_failed where this machine has no way out. */
export async function visitBoth({ start, follow }: HeadersQuery, context: CentralContext): Promise<Visits> {
  const https =
    start.url.port === '' || start.url.protocol === 'https:' ? await visit(start, 'https:', { follow, known: [] }, context) : undefined;
  const known = https?.raw.hops.flatMap(({ head, url }) => (head ? [url] : [])) ?? [];
  const http =
    start.url.port === '' || start.url.protocol === 'http:' ? await visit(start, 'http:', { follow: true, known }, context) : undefined;
  return { https, http };
}

/** `known`: URLs that were visited already, where the way is the same from there on. */
function visit(
  { url, fragment, basic }: ParsedUrl,
  protocol: 'https:' | 'http:',
  { follow, known }: { follow: boolean; known: readonly string[] },
  context: CentralContext,
): Promise<Visited> {
  const own = protocol === url.protocol && basic !== undefined;
  // The page that is shown first is judged, and not the one that it changes to.
  return visitSite(
    `${url.href.replace(/^https?:/, protocol)}${fragment}`,
    { ...(own && { basic }), follows: ({ type, url: next }) => follow && type === 'location' && !known.includes(next) },
    context,
  );
}

/** The answered hops of a visit, as judges take them; the way from a URL that `before` has too goes on as there. Undefined without an answer. */
export function seenOf(visited: Visited | undefined, before?: Visited): SeenVisit | undefined {
  const own = visited?.raw.hops.filter(({ head }) => head !== undefined) ?? [];
  const next = own.at(-1)?.redirect;
  const known = before?.raw.hops.filter(({ head }) => head !== undefined) ?? [];
  const at = next && !next.followed ? known.findIndex(({ url }) => url === next.to) : -1;
  const hops = [...own, ...(at < 0 ? [] : known.slice(at))];
  if (hops.length === 0) return undefined;
  const last = (at < 0 ? visited : before)!.raw.hops.at(-1)!;
  return {
    unanswered: last.head ? '' : last.url,
    hops: hops.map(({ url, head }) => ({ url, status: head!.status, fields: head!.headers })),
    verified: hops.every(({ tls }) => tls === undefined || tls.certificate.valid),
  };
}

/** The fields of the answer to a preflight request (Fetch §4.8), whose redirect browsers do not follow; without an answer, why there is none. */
export async function preflight(url: string, context: CentralContext): Promise<{ fields: AnswerFields | undefined; problem: string }> {
  const { raw } = await visitSite(
    url,
    {
      request: { method: 'OPTIONS' },
      requestFields: { origin: ORIGIN, 'access-control-request-method': 'GET' },
      total_ms: PREFLIGHT_MS,
      follows: () => false,
    },
    context,
  );
  const { head, failure } = raw.hops[0]!;
  return { fields: head?.headers, problem: failure ? `No answer to OPTIONS: ${failure.message}` : '' };
}
