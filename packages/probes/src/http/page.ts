import type { X509Certificate } from 'node:crypto';
import { type CentralPorts, parseHttpUrl, ProbeFailure, within } from '@vedette/contract';
import { familiesOf } from '../judge-host.ts';
import type { CertificateReport } from '../net/certificate.ts';
import { abortFailure } from '../net/dialler.ts';
import { decodeText } from './charset.ts';
import { PAGE_CODINGS, unpackUpTo } from './coding.ts';
import { CookieJar } from './cookies.ts';
import { exchange } from './exchange.ts';
import { contentCodings, headerValues, type HttpHead, redirectTarget } from './message.ts';
import { resolveTarget } from './target.ts';
import { type HttpTrace, startTrace, timeoutOf } from './trace.ts';

export interface PageOptions extends Pick<CentralPorts, 'resolver' | 'dialler' | 'clock' | 'ca' | 'userAgent'> {
  signal: AbortSignal;
  url: string;
  /** The wall clock's time, for cookies. */
  now: Date;
  /** Limit on the last body as transferred, and again on what it unpacks to: what is beyond is not read. */
  maxBytes: number;
  maxRedirects: number;
  /** Time for one hop, from its look-up to the end of its body. */
  hop_ms: number;
  /** Time for all of them. */
  total_ms: number;
  /** Throws `ProbeFailure` blocked_policy for a name that is not contacted: that of a hop, or one that it is an alias of. */
  refuse(name: string): void;
  /** Whether the owner of a name does not want to be contacted. Asked before each hop. */
  isOptedOut(name: string): Promise<boolean>;
  /** Whether a redirect to this URL is followed. */
  follows?(url: string): boolean;
  /** Where a page leads that is no redirect, such as by a `meta` element: absolute; empty where it stays. */
  leadsTo?(page: Page & { url: string; head: HttpHead }): Promise<string>;
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

/** One URL of a visit, and what came of it. */
export interface Hop {
  url: string;
  /** Why no answer came; undefined where one did. */
  failure: ProbeFailure | undefined;
  /** Empty where no connection was made. */
  remoteAddress: string;
  head: HttpHead | undefined;
  /** What the server showed, valid or not, also where no answer came after it. */
  tls: { certificate: CertificateReport; leaf: X509Certificate; version: string } | undefined;
  /** Where it leads, absolute; empty where it is the end. */
  next: string;
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
 * HTTP errors are data, and so is every failure of a hop. Rejects with the signal's reason, and with what the ports' gates refuse.
 */
export async function visitPage(options: PageOptions): Promise<Visit> {
  const { clock, total_ms, maxRedirects } = options;
  const until = clock.now() + total_ms;
  const jar = new CookieJar(options.now);
  const hops: Hop[] = [];
  const seen = new Set<string>();
  let { url } = options;
  for (;;) {
    const ms = Math.min(options.hop_ms, until - clock.now());
    const { hop, page } = await visitHop(url, jar, ms, options);
    hops.push(hop);
    if (hop.failure) return { end: 'failed', hops, page };
    if (hop.next === '') return { end: 'page', hops, page };
    if (options.follows?.(hop.next) === false) return { end: 'not_followed', hops, page };
    if (hops.length > maxRedirects) return { end: 'too_many_redirects', hops, page };
    // The same page may well answer otherwise once it finds its cookie.
    const state = `${hop.next} ${URL.canParse(hop.next) ? jar.headerFor(new URL(hop.next)) : ''}`;
    if (seen.has(state)) return { end: 'loop', hops, page };
    seen.add(state);
    url = hop.next;
  }
}

async function visitHop(url: string, jar: CookieJar, ms: number, options: PageOptions): Promise<{ hop: Hop; page: Page }> {
  const { clock, signal, maxBytes } = options;
  const trace = startTrace(clock.now());
  const chunks: Uint8Array[] = [];
  let failure: ProbeFailure | undefined;
  try {
    await within(
      clock,
      ms,
      signal,
      () => timeoutOf(trace, ms),
      (within_) => get(url, jar, trace, chunks, within_, options),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProbeFailure)) throw error;
    failure = error;
  }
  const { head } = trace;
  // What came of a page before its server fell silent, or hung up, is what a browser shows.
  if (head) failure = undefined;
  const packed = Buffer.concat(chunks);
  const hop: Hop = {
    url,
    failure,
    remoteAddress: trace.remoteAddress ?? '',
    head,
    tls: trace.tls && { certificate: trace.tls.certificate, leaf: trace.tls.leaf, version: trace.tls.version },
    next: head ? redirectTarget(head, url) : '',
  };
  if (!head) return { hop, page: NOTHING };
  const { bytes, truncated, broken } = await unpackUpTo(contentCodings(head), packed, maxBytes);
  const page: Page = {
    body: bytes,
    text: await decodeText(bytes, headerValues(head, 'content-type')[0] ?? ''),
    truncated: truncated || trace.bodyTruncated || trace.ended === undefined,
    broken: broken && trace.ended !== undefined && !trace.bodyTruncated,
  };
  if (hop.next === '') hop.next = (await options.leadsTo?.({ ...page, url, head })) ?? '';
  return { hop, page };
}

async function get(
  url: string,
  jar: CookieJar,
  trace: HttpTrace,
  chunks: Uint8Array[],
  signal: AbortSignal,
  options: PageOptions,
): Promise<void> {
  const { dialler, clock, ca, userAgent, maxBytes, refuse, isOptedOut } = options;
  try {
    const target = parseHttpUrl(url);
    if (!target) throw new ProbeFailure('blocked_policy', 'not an http or https URL');
    refuse(target.host);
    if (target.kind === 'name' && (await isOptedOut(target.host)))
      throw new ProbeFailure('blocked_policy', `the owner of ${target.host} does not want to be measured`);
    const address = await resolveTarget(target, options, { families: familiesOf(target), signal, onAlias: refuse });
    const cookie = jar.headerFor(target.url);
    await exchange({
      target,
      trace,
      open: () => dialler.tcp({ address, port: target.port, signal }),
      onBody: (chunk) => chunks.push(chunk),
      bodyMaxBytes: maxBytes,
      ca,
      userAgent,
      requestFields: { 'accept-encoding': PAGE_CODINGS, ...(cookie !== '' && { cookie }) },
      clock,
      signal,
    });
    if (trace.head) jar.store(headerValues(trace.head, 'set-cookie'), target.url);
  } catch (error) {
    // Closing the sockets makes whatever was waited for fail in some way; the signal knows why it did.
    throw signal.aborted ? abortFailure(signal) : error;
  }
}
