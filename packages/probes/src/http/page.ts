import type { X509Certificate } from 'node:crypto';
import { type CentralPorts, type Clock, ENDED, parseHttpUrl, ProbeFailure, within } from '@vedette/contract';
import { familiesOf } from '../judge-host.ts';
import { abortFailure } from '../net/dialler.ts';
import { chainOf, type Shown } from '../net/tls.ts';
import { decodeText } from './charset.ts';
import { PAGE_CODINGS, unpackUpTo } from './coding.ts';
import { CookieJar } from './cookies.ts';
import { exchange, type Protocols } from './exchange.ts';
import { contentCodings, headerValues, type HttpHead, redirectTarget, type RequestFields } from './message.ts';
import { type Proxy, ProxyFailure } from '../proxy/proxy.ts';
import { ProxyWay } from '../proxy/way.ts';
import { resolveTarget } from './target.ts';
import { type HttpTrace, startTrace, timeoutOf } from './trace.ts';

export interface PageOptions extends Pick<CentralPorts, 'resolver' | 'dialler' | 'clock' | 'ca' | 'userAgent'> {
  signal: AbortSignal;
  url: string;
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
  /** Sent to every hop, such as a language; they win over those that every request carries. */
  requestFields?: RequestFields;
  /** Such as credentials: only the origin of `url` is sent them (another port or scheme is another origin), wherever it leads. */
  originFields?: RequestFields;
  /** Throws `ProbeFailure` blocked_policy for a name that is not contacted: that of a hop, or one that it is an alias of. */
  refuse(name: string): void;
  /** Whether the owner of a name does not want to be contacted. Asked before each hop. */
  isOptedOut(name: string): Promise<boolean>;
  /** Whether a redirect is followed; without it every one is. */
  follows?(redirect: Onward & { from: string }): boolean;
  /** Where an answer leads that is no redirect by its status, such as by a `meta` element. */
  next?(answer: PageAnswer): Promise<Onward | undefined>;
}

/** What came as a body. */
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
  /** What leads there: `location`, or what `next` calls it. */
  type: string;
}

/** One URL of a visit, and what came of it. */
export interface Hop {
  url: string;
  /** Why no answer came; undefined where one did. */
  failure: ProbeFailure | undefined;
  /** The target's address that was connected to, by us or by the proxy; empty where no connection was made. */
  remoteAddress: string;
  /** Whole ms from the look-up to the end of the body. */
  elapsed_ms: number;
  /** `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`; empty without an answer. */
  version: string;
  head: HttpHead | undefined;
  /** What the server showed, valid or not, also where the handshake failed after it; `chain` begins with its leaf. */
  tls: (Shown & { chain: readonly X509Certificate[] }) | undefined;
  /** Undefined where it leads nowhere. */
  redirect: { to: string; type: string; followed: boolean } | undefined;
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
  /** The body of the last hop; empty where there is none. */
  page: Page;
}

const NOTHING: Page = { body: new Uint8Array(), text: '', truncated: false, broken: false };

/**
 * Visits a URL of a server nobody vouches for, as a browser without scripts would: redirects are followed with the cookies that were set on
 * the way, and every hop is judged anew: its scheme, name, port, each of its addresses, the word of its owner. Invalid certificates and
 * HTTP errors are data, and so is every failure of a hop. Rejects with the signal's reason, with what the ports' gates refuse, and with
 * `ProxyFailure` where the proxy is at fault: then nothing is known of the target.
 */
export async function visitPage(options: PageOptions): Promise<Visit> {
  const { clock, total_ms, maxRedirects, follows } = options;
  const until = clock.now() + total_ms;
  const jar = new CookieJar(options.now);
  const hops: Hop[] = [];
  const way = options.proxy && new ProxyWay({ ...options, proxy: options.proxy });
  let { url } = options;
  const seen = new Set([requestOf(url, jar)]);
  for (;;) {
    const ms = Math.max(0, Math.min(options.hop_ms, until - clock.now()));
    const { hop, page } = await visitHop({ url, jar, way }, ms, options);
    hops.push(hop);
    const { failure, redirect } = hop;
    if (failure) return { end: 'failed', hops, page };
    if (!redirect) return { end: 'page', hops, page };
    if (follows?.({ from: url, url: redirect.to, type: redirect.type }) === false) return { end: 'not_followed', hops, page };
    if (hops.length > maxRedirects) return { end: 'too_many_redirects', hops, page };
    const request = requestOf(redirect.to, jar);
    if (seen.has(request)) return { end: 'loop', hops, page };
    seen.add(request);
    redirect.followed = true;
    url = redirect.to;
  }
}

/** What a server sees of a request: not the fragment, but the cookies. The same page may well answer otherwise once it finds its own. */
const requestOf = (url: string, jar: CookieJar): string =>
  `${url.split('#', 1)[0]} ${URL.canParse(url) ? jar.headerFor(new URL(url)) : ''}`;

/** What a hop has of the visit. */
interface HopOptions {
  url: string;
  jar: CookieJar;
  way: ProxyWay | undefined;
}

async function visitHop(from: HopOptions, ms: number, options: PageOptions): Promise<{ hop: Hop; page: Page }> {
  const { clock, signal } = options;
  const { url } = from;
  const trace = startTrace(clock.now());
  const chunks: Uint8Array[] = [];
  let failure: ProbeFailure | undefined;
  try {
    await within(
      clock,
      ms,
      signal,
      () => timeoutOf(trace, ms),
      (limited) => get(from, trace, chunks, limited, options),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProbeFailure) || error instanceof ProxyFailure) throw error;
    failure = error;
  }
  const { head } = trace;
  // What came of a page before its server fell silent, or hung up, is what a browser shows.
  if (head) failure = undefined;
  const hop: Hop = {
    url,
    failure,
    remoteAddress: trace.remoteAddress ?? '',
    elapsed_ms: Math.floor((trace.ended ?? clock.now()) - trace.started),
    version: head?.version ?? '',
    head,
    tls: trace.shown && { ...trace.shown, chain: chainOf(trace.shown.leaf, options.ca) },
    redirect: undefined,
  };
  if (!head) return { hop, page: NOTHING };
  const page = await pageOf(head, Buffer.concat(chunks), trace, options.maxBytes);
  const location = redirectTarget(head, url);
  const onward = location !== '' ? { url: withFragment(location, url), type: 'location' } : await options.next?.({ ...page, url, head });
  if (onward) hop.redirect = { to: onward.url, type: onward.type, followed: false };
  return { hop, page };
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
  { url, jar, way }: HopOptions,
  trace: HttpTrace,
  chunks: Uint8Array[],
  hopSignal: AbortSignal,
  options: PageOptions,
): Promise<void> {
  const { dialler, clock, ca, userAgent, maxBytes, protocol, connect_ms } = options;
  using connecting = connectLimit(trace, connect_ms, clock);
  const signal = AbortSignal.any([hopSignal, connecting.signal]);
  try {
    const target = parseHttpUrl(url);
    if (!target) throw new ProbeFailure('blocked_policy', 'not an http or https URL');
    options.refuse(target.host);
    if (target.kind === 'name' && (await options.isOptedOut(target.host)))
      throw new ProbeFailure('blocked_policy', `the owner of ${target.host} does not want to be measured`);
    const address = await resolveTarget(target, options, { families: familiesOf(target), signal, onAlias: options.refuse });
    await exchange({
      target,
      trace,
      protocol,
      async open() {
        const socket = await (way?.open({ address, port: target.port }, signal) ?? dialler.tcp({ address, port: target.port, signal }));
        trace.remoteAddress = address;
        return socket;
      },
      onBody: (chunk) => chunks.push(chunk),
      bodyMaxBytes: maxBytes,
      ca,
      userAgent,
      requestFields: fieldsFor(target.url, jar, options),
      clock,
      signal,
    });
    if (trace.head) jar.store(headerValues(trace.head, 'set-cookie'), target.url);
  } catch (error) {
    // Closing the sockets makes whatever was waited for fail in some way; the signal knows why it did.
    throw signal.aborted && !(error instanceof ProxyFailure) ? abortFailure(signal) : error;
  }
}

function fieldsFor(url: URL, jar: CookieJar, { requestFields, originFields, url: requested }: PageOptions): RequestFields {
  const cookie = jar.headerFor(url);
  return {
    'accept-encoding': PAGE_CODINGS,
    ...requestFields,
    ...(url.origin === new URL(requested).origin && originFields),
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
