import { optOutNameOf, optOutOf } from '../host/opt-out.ts';
import { ProbeFailure, type ProbePorts, recordsOf, within } from '@vedette/contract';
import { type Family, familiesOf, refuseProtected } from '../host/judge-host.ts';
import { zoneOf } from '../host/target-limits.ts';
import { CookieJar } from './cookies.ts';
import { REDIRECTS_MAX } from './detail-schema.ts';
import { exchangeWithin, type Protocols } from './wire/exchange.ts';
import type { Dial, Route } from './wire/opener.ts';
import { headerValues, redirectTarget, type RequestFields } from './wire/message.ts';
import type { JobRequest } from './request.ts';
import { SignIns } from './sign-in.ts';
import { parseTarget, resolveTargets } from './target.ts';
import { type HttpTrace, restart } from './trace.ts';

/** Enough to time a page. */
const BODY_MAX_BYTES = 5 * 1024 * 1024;
/** The most bytes that are kept of a body for its reader. */
export const KEPT_MAX_BYTES = 2 * 1024 * 1024;
/** A zone that says nothing in so long has not opted out. */
const OPT_OUT_MS = 500;

/** A request and the redirects that it is led over, filled as they go on. */
export interface Hops {
  traces: HttpTrace[];
  /** The last one so far, without a user name. */
  url: string;
  /** The URLs before it. */
  urls: string[];
  /** The beginning of its body as transferred, where it is kept. */
  chunks: Uint8Array[];
}

export interface HopsOptions extends Pick<Route, 'until' | 'connectUntil'> {
  request: JobRequest;
  follows: boolean;
  /** Limit on redirects: the next one is the result. Without a limit, one beyond ten is a failure. */
  maxRedirects?: number | undefined;
  /** Bytes of the last body that are kept as transferred. */
  retained: number;
  family: Family | 0;
  /** The order, where the family is 0. */
  ipv6First: boolean;
  protocol: Protocols;
  verify: boolean | undefined;
  /** How addresses of a host are reached. */
  dialTo(target: { host: string; port: number }): Dial;
  /** Another hop begins. */
  next(): HttpTrace;
  signal: AbortSignal;
}

/**
 * Asks a URL, and each that it leads to, as long as redirects are followed; every hop is judged anew: its name, its owner's word, each of its
 * addresses, the target's rates. Rejects as `exchangeWithin` and `resolveTargets` do, and with http_protocol for one redirect too many.
 */
export async function followHops(hops: Hops, first: HttpTrace, options: HopsOptions, ports: ProbePorts): Promise<void> {
  const { request, follows, maxRedirects } = options;
  const jar = new CookieJar(new Date());
  const signIns = new SignIns();
  signIns.learn(request);
  const judged = new Set([parseTarget(hops.url).host]);
  const judge = async (name: string) => {
    if (!judged.has(name)) await refuseUnjudged(name, ports, options.signal);
    judged.add(name);
  };
  for (const name of request.names) await judge(name);
  for (let trace = first; ; trace = options.next()) {
    hops.traces.push(trace);
    await askHop(hops, trace, { jar, signIns }, options, ports);
    const head = trace.head!;
    const to = redirectTarget(head, hops.url);
    if (!follows || to === '' || hops.traces.length > (maxRedirects ?? Infinity)) return;
    if (hops.traces.length > REDIRECTS_MAX) throw new ProbeFailure('http_protocol', `more than ${REDIRECTS_MAX} redirects`);
    jar.store(headerValues(head, 'set-cookie'), new URL(hops.url));
    request.redirect(head.status, to);
    const target = parseTarget(to);
    await judge(target.host);
    signIns.learn(target);
    hops.urls.push(hops.url);
    hops.url = target.url.href;
  }
}

/** The state that one hop passes to the next. */
interface Carried {
  jar: CookieJar;
  signIns: SignIns;
}

async function askHop(hops: Hops, trace: HttpTrace, { jar, signIns }: Carried, options: HopsOptions, ports: ProbePorts): Promise<void> {
  const { request, family, ipv6First, follows, maxRedirects = Infinity, retained, signal } = options;
  const isLast = hops.traces.length > maxRedirects;
  const target = parseTarget(hops.url);
  // A redirect to an address may be of the other family: it is the first URL that was to be asked in one.
  const families = family === 0 || hops.traces.length > 1 ? familiesOf(target, ipv6First ? 6 : 4) : [family];
  const addresses = await resolveTargets(target, ports, { families, signal, onAlias: refuseProtected });
  trace.resolved = ports.clock.now();
  const cookie = jar.headerFor(target.url);
  const ask = (signIn: RequestFields = {}): Promise<void> => {
    hops.chunks = [];
    let kept = 0;
    return exchangeWithin(ports, {
      target,
      addresses,
      dial: options.dialTo(target),
      until: options.until,
      connectUntil: options.connectUntil,
      trace,
      request: request.request,
      requestFields: { ...request.fields, ...(cookie !== '' && !('cookie' in request.fields) && { cookie }), ...signIn },
      certificateOf: request.certificateOf,
      protocol: options.protocol,
      verify: options.verify,
      ...(follows && !isLast && { enough: (head) => redirectTarget(head, hops.url) !== '' }),
      ...(retained > 0 && {
        onBody(chunk) {
          if (kept >= retained) return;
          hops.chunks.push(chunk.subarray(0, retained - kept));
          kept += chunk.length;
        },
      }),
      bodyMaxBytes: BODY_MAX_BYTES,
      signal,
    });
  };
  await ask();
  const signIn = 'authorization' in request.fields ? undefined : signIns.answerTo(trace.head, target.url);
  if (!signIn) return;
  restart(trace);
  await ask(signIn);
}

/** Throws `ProbeFailure` blocked_policy for a name that no gateway has judged, where the operator, the law or its owner does not want us there. */
async function refuseUnjudged(name: string, { isDenied, resolver, clock }: ProbePorts, signal: AbortSignal): Promise<void> {
  refuseProtected(name);
  if (isDenied(name)) throw new ProbeFailure('blocked_policy', name);
  const says = async (owner: string) => {
    const late = () => new ProbeFailure('dns_timeout', owner);
    try {
      const query = (limited: AbortSignal) => resolver.query(optOutNameOf(owner), 'TXT', { signal: limited });
      const answer = await within(clock, OPT_OUT_MS, signal, late, query);
      return optOutOf(recordsOf(answer, 'TXT').map(({ data }) => Buffer.concat(data).toString('latin1')));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProbeFailure) return 'nothing';
      throw error;
    }
  };
  if (!/[a-z]/.test(name) || name.includes(':')) return; // an address has no owner in the DNS
  const zone = zoneOf(name);
  const said = await says(zone);
  if ((said === 'hosts' && name !== zone ? await says(name) : said) === 'out')
    throw new ProbeFailure('blocked_policy', `the owner of ${name} does not want to be measured`);
}
