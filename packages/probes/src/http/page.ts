import type { X509Certificate } from 'node:crypto';
import { type Clock, ENDED, type ParsedUrl, parseWebUrl, ProbeFailure, shownUrl, within, type ProbePorts } from '@vedette/contract';
import { type Attempts, attemptsOf } from '../host/attempts.ts';
import { familiesOf } from '../host/judge-host.ts';
import { abortFailure } from '../net/dialler.ts';
import { chainOf, type Shown } from '../net/tls.ts';
import { decodeText } from './charset.ts';
import { PAGE_CODINGS, unpackUpTo } from './wire/coding.ts';
import { CookieJar } from './cookies.ts';
import { exchange, type Protocols } from './wire/exchange.ts';
import { contentCodings, headerValues, type HttpHead, type HttpRequest, redirectTarget, type RequestFields } from './wire/message.ts';
import { type Dial, Opener } from './wire/opener.ts';
import { type Proxy, ProxyFailure } from '../proxy/proxy.ts';
import { ProxyWay, type Way } from '../proxy/way.ts';
import { httpTarget, SignIns } from './sign-in.ts';
import { resolveTargets } from './target.ts';
import { type HttpTrace, restart, startTrace, timeoutOf } from './trace.ts';

export interface PageOptions extends Pick<ProbePorts, 'resolver' | 'dialler' | 'clock' | 'ca' | 'userAgent'> {
  signal: AbortSignal;
  url: string;
  /** User name and password of `url`, as the Basic scheme has them: sent to its origin, where that asks for them. */
  basic?: string | undefined;
  /** The wall clock's time, for cookies. */
  now: Date;
  /** Whether HTTP/2 may be spoken where a server does. Without TLS it is always HTTP/1.1. */
  protocol: Protocols;
  /** Limit on the last body as transferred, and again on what it unpacks to: what is beyond is not read. */
  maxBytes: number;
  maxRedirects: number;
  /** Time for a hop until its connection stands: look-up, connect and TLS. Without it only `hop_ms` counts. */
  connect_ms?: number;
  /** Time for one hop, from its look-up to the end of its body. */
  hop_ms: number;
  /** Time for all of them. */
  total_ms: number;
  /** Every hop goes through it; undefined goes straight. */
  proxy?: Proxy | undefined;
  /** The same, in place of a proxy that a client named. */
  way?: Way | undefined;
  /** Asked of every hop; GET without it. A redirect does not change it. */
  request?: HttpRequest;
  /** Sent to every hop, such as a language; they win over those that every request carries. */
  requestFields?: RequestFields;
  /**
   * Such as credentials: only this origin is sent them (another port or scheme is another origin), wherever the visit leads, and only where
   * `url` is of it.
   */
  originFields?: { origin: string; fields: RequestFields };
  /** Throws `ProbeFailure` blocked_policy for a name that is not contacted: that of a hop, or one that it is an alias of. */
  refuse(name: string): void;
  /** Whether the owner of a name does not want to be contacted. Asked before each hop. */
  isOptedOut(name: string): Promise<boolean>;
  /** Whether a redirect is followed; without it every one is. */
  follows?(redirect: Onward & Pick<Hop, 'target'> & { from: string }): boolean;
  /** Where an answer leads whose status is not a redirect, by a `meta` element for example. */
  next?(answer: PageAnswer): Promise<Onward | undefined>;
}

/** The received body. */
export interface Page {
  /** Its octets, the Content-Encoding removed. */
  body: Uint8Array;
  text: string;
  /** There was more, or it did not come in time. */
  truncated: boolean;
  /** It could not be unpacked: `body` is what came before. */
  broken: boolean;
}

export interface PageAnswer extends Page {
  url: string;
  head: HttpHead;
}

/** Where a hop leads. */
export interface Onward {
  /** Absolute. */
  url: string;
  /** The kind of redirect: `location`, or the name that `next` gives. */
  type: string;
}

/** One URL of a visit, and what came of it. */
export interface Hop {
  /** The URL that was requested: without a user name. */
  url: string;
  /** The same as an object, without its fragment. */
  location: URL;
  /** The same, parsed; undefined where it is not an http or https URL, and so is not requested. */
  target: ParsedUrl | undefined;
  /** The URL that led there: with its user name, the password masked. */
  shown: string;
  /** Its server asked for a user name and password, and was told those that a URL had named. */
  signedIn: boolean;
  /** Why no answer came; undefined where one did. */
  failure: ProbeFailure | undefined;
  /** The target's address that was connected to, by us or by the proxy; empty where no connection was made. */
  remoteAddress: string;
  /** The addresses that were tried. */
  attempts: Attempts;
  /** Whole ms from the look-up to the end of the body. */
  elapsed_ms: number;
  /** `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`; empty without an answer. */
  version: string;
  head: HttpHead | undefined;
  /** The server's certificates, valid or not, even if the handshake failed after them; `chain` begins with the leaf. */
  tls: (Shown & { chain: readonly X509Certificate[] }) | undefined;
  /** Undefined where it leads nowhere. */
  redirect: { /** A password masked. */ to: string; type: string; followed: boolean } | undefined;
}

/**
 * How a visit ended. `page`: with an answer that leads nowhere. `failed`: no answer from the last hop. `not_followed`: at a redirect that
 * `follows` did not want. `loop`, `too_many_redirects`: a browser shows an error too.
 */
export type VisitEnd = 'page' | 'failed' | 'not_followed' | 'loop' | 'too_many_redirects';

export interface Visit {
  end: VisitEnd;
  /** At least one. */
  hops: readonly Hop[];
  /** The body of the last hop; empty without one. */
  page: Page;
}

const isAtFault = (error: unknown): boolean => error instanceof ProxyFailure;
/** The page of a visit that brought none. */
export const NO_PAGE: Page = { body: new Uint8Array(), text: '', truncated: false, broken: false };

/**
 * Visits a URL of an untrusted server, as a browser without scripts would. It follows redirects with the cookies set on the way, and checks
 * every hop anew: scheme, name, port, each address, and the owner's opt-out. Invalid certificates and HTTP errors are data, and so is every
 * failure of a hop. Rejects with the signal's reason, with what the ports' gates refuse, and with `ProxyFailure` where the proxy is at
 * fault: then nothing is known of the target.
 */
export async function visitPage(options: PageOptions): Promise<Visit> {
  const { clock, total_ms, maxRedirects, follows } = options;
  const until = clock.now() + total_ms;
  const jar = new CookieJar(options.now);
  const hops: Hop[] = [];
  const way = options.way ?? (options.proxy && new ProxyWay({ ...options, proxy: options.proxy }));
  const signIns = new SignIns();
  let at = startOf(options.url);
  if (options.basic !== undefined) signIns.learn({ url: at.location, basic: options.basic });
  const own = options.originFields?.origin === at.location.origin ? options.originFields : undefined;
  const seen = new Set([requestOf(at, jar, signIns)]);
  for (;;) {
    const ms = Math.max(0, Math.min(options.hop_ms, until - clock.now()));
    const { hop, page, to } = await visitHop({ at, own, jar, signIns, way }, ms, options);
    hops.push(hop);
    const { failure, redirect } = hop;
    if (failure) return { end: 'failed', hops, page };
    if (!redirect) return { end: 'page', hops, page };
    const next = learn(to, signIns);
    if (follows?.({ from: at.url, url: redirect.to, target: next.target, type: redirect.type }) === false)
      return { end: 'not_followed', hops, page };
    if (hops.length > maxRedirects) return { end: 'too_many_redirects', hops, page };
    at = next;
    const request = requestOf(at, jar, signIns);
    if (seen.has(request)) return { end: 'loop', hops, page };
    seen.add(request);
    redirect.followed = true;
  }
}

/** Where a visit is: see `Hop`. */
type At = Pick<Hop, 'url' | 'location' | 'target' | 'shown'>;

function startOf(url: string): At {
  const target = parseWebUrl(url);
  return { url, location: target?.url ?? new URL(url), target, shown: url };
}

/** Takes a user name out of a URL, and keeps it for its origin. */
function learn(text: string, signIns: SignIns): At {
  const target = parseWebUrl(text);
  const shown = shownUrl(text);
  if (!target) return { url: text, location: new URL(text), target, shown };
  signIns.learn(target);
  return { url: `${target.url.href}${target.fragment}`, location: target.url, target, shown };
}

/**
 * The parts of a request that a server sees: cookies and a user name, but not the fragment. The same page may well answer otherwise once it
 * finds its own.
 */
const requestOf = ({ url, location }: At, jar: CookieJar, signIns: SignIns): string =>
  `${url.split('#', 1)[0]} ${jar.headerFor(location)} ${signIns.for(location)}`;

/** The parts of the visit that a hop uses. */
interface HopOptions {
  at: At;
  /** Fields for one origin; undefined where the visit did not begin there. */
  own: PageOptions['originFields'];
  jar: CookieJar;
  signIns: SignIns;
  way: Way | undefined;
}

/** `to`: where it leads, user name, password and all; empty where it leads nowhere. */
async function visitHop(from: HopOptions, ms: number, options: PageOptions): Promise<{ hop: Hop; page: Page; to: string }> {
  const { clock, signal } = options;
  const { url } = from.at;
  const trace = startTrace(clock.now());
  const chunks: Uint8Array[] = [];
  let failure: ProbeFailure | undefined;
  try {
    await within(
      clock,
      ms,
      signal,
      () => timeoutOf(trace, ms),
      (limited) => get(from, trace, chunks, limited, trace.started + ms, options),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProbeFailure) || error instanceof ProxyFailure) throw error;
    failure = error;
  }
  const { head } = trace;
  // A browser shows the part of a page that arrived before its server fell silent or hung up.
  if (head) failure = undefined;
  const hop: Hop = {
    ...from.at,
    signedIn: trace.signedIn === true,
    failure,
    remoteAddress: trace.remoteAddress ?? '',
    attempts: attemptsOf(trace.tried, { started: trace.started, connected: trace.remoteAddress, now: clock.now() }),
    elapsed_ms: Math.floor((trace.ended ?? clock.now()) - trace.started),
    version: head?.version ?? '',
    head,
    tls: trace.shown && { ...trace.shown, chain: chainOf(trace.shown.leaf, options.ca) },
    redirect: undefined,
  };
  if (!head) return { hop, page: NO_PAGE, to: '' };
  const page = await pageOf(head, Buffer.concat(chunks), trace, options.maxBytes);
  const location = redirectTarget(head, url);
  const onward = location !== '' ? { url: withFragment(location, url), type: 'location' } : await options.next?.({ ...page, url, head });
  if (onward) hop.redirect = { to: shownUrl(onward.url), type: onward.type, followed: false };
  return { hop, page, to: onward?.url ?? '' };
}

/** A redirect keeps the fragment where it has none of its own (RFC 9110 §10.2.2). */
function withFragment(location: string, from: string): string {
  const to = new URL(location);
  to.hash ||= new URL(from).hash;
  return to.href;
}

async function pageOf(head: HttpHead, packed: Uint8Array, trace: HttpTrace, maxBytes: number): Promise<Page> {
  const { bytes, truncated, broken } = await unpackUpTo(contentCodings(head), packed, maxBytes);
  return {
    body: bytes,
    text: await decodeText(bytes, headerValues(head, 'content-type')[0] ?? ''),
    truncated: truncated || trace.bodyTruncated || trace.ended === undefined,
    broken: broken && trace.ended !== undefined && !trace.bodyTruncated,
  };
}

async function get(
  { at, own, jar, signIns, way }: HopOptions,
  trace: HttpTrace,
  chunks: Uint8Array[],
  hopSignal: AbortSignal,
  until: number,
  options: PageOptions,
): Promise<void> {
  const { dialler, clock, ca, userAgent, maxBytes, protocol, connect_ms } = options;
  using connecting = connectLimit(trace, connect_ms, clock);
  const signal = AbortSignal.any([hopSignal, connecting.signal]);
  try {
    const target = httpTarget(at.target);
    options.refuse(target.host);
    if (target.kind === 'name' && (await options.isOptedOut(target.host)))
      throw new ProbeFailure('blocked_policy', `the owner of ${target.host} does not want to be measured`);
    const { host, port } = target;
    const addresses = way?.reachesByName(host)
      ? { first: [host] }
      : await resolveTargets(target, options, { families: familiesOf(target, way ? 4 : 6), signal, onAlias: options.refuse });
    const dial: Dial = (address, limited) =>
      way?.open({ address, port, host }, limited) ?? dialler.tcp({ address, port, host, signal: limited });
    // The address that asks for a user name is the one that is told it.
    const connectUntil = connect_ms === undefined ? undefined : Math.min(until, trace.started + connect_ms);
    const opener = new Opener(
      { addresses, dial, until, connectUntil, ...(way && { next_ms: way.nextMs, isAtFault }) },
      { trace, clock, signal },
    );
    const ask = (fields: RequestFields): Promise<void> =>
      exchange({
        target,
        trace,
        protocol,
        opener,
        onBody: (chunk) => chunks.push(chunk),
        bodyMaxBytes: maxBytes,
        ca,
        userAgent,
        request: options.request,
        requestFields: fields,
        clock,
        signal,
      });
    const fields = fieldsFor(target.url, jar, own, options);
    await ask(fields);
    const signIn = 'authorization' in fields ? undefined : signIns.answerTo(trace.head, target.url);
    if (signIn) {
      restart(trace);
      chunks.length = 0;
      trace.signedIn = true;
      await ask({ ...fields, ...signIn });
    }
    if (trace.head) jar.store(headerValues(trace.head, 'set-cookie'), target.url);
  } catch (error) {
    // Closing the sockets makes whatever was waited for fail in some way; the signal knows why it did.
    throw signal.aborted && !(error instanceof ProxyFailure) ? abortFailure(signal) : error;
  }
}

function fieldsFor(url: URL, jar: CookieJar, own: HopOptions['own'], { requestFields }: PageOptions): RequestFields {
  const cookie = jar.headerFor(url);
  return {
    'accept-encoding': PAGE_CODINGS,
    ...requestFields,
    ...(url.origin === own?.origin && own.fields),
    ...(cookie !== '' && { cookie }),
  };
}

/** Aborts what is still not connected after `ms`. */
function connectLimit(trace: HttpTrace, ms: number | undefined, clock: Clock): Disposable & { signal: AbortSignal } {
  const late = new AbortController();
  const over = new AbortController();
  if (ms !== undefined)
    clock.sleep(ms, over.signal).then(
      () => trace.phase !== 'answer' && late.abort(timeoutOf(trace, ms)),
      () => undefined, // it was over before
    );
  return { signal: late.signal, [Symbol.dispose]: () => over.abort(ENDED) };
}
