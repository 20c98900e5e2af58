import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { type Clock, type ParsedUrl, parseHttpUrl, ProbeFailure, within, type ProbePorts } from '@vedette/contract';
import { familiesOf } from '../host/judge-host.ts';
import { resolveTargets } from '../http/target.ts';
import { type HttpTrace, startTrace, timeoutOf } from '../http/trace.ts';
import { answerOver, openConnection, refusalOf } from '../http/wire/exchange.ts';
import { type Dial, Opener } from '../http/wire/opener.ts';
import {
  contentCodings,
  HEAD_LIMITS,
  headerText,
  headerValues,
  type HttpHead,
  redirectTarget,
  requestFields,
  type RequestFields,
} from '../http/wire/message.ts';
import { abortFailure } from '../net/dialler.ts';
import { OriginClient } from '../net/fetch/origin-client.ts';

export interface FetchOptions extends Pick<ProbePorts, 'dialler' | 'clock' | 'ca' | 'userAgent'> {
  resolver: Pick<ProbePorts['resolver'], 'addresses'>;
  signal: AbortSignal;
  url: string;
  /** Limit on the body as transferred, and again on what it unpacks to. */
  maxBytes: number;
  timeout_ms: number;
  /** How long the server may be silent: before its first byte, and between two. Without it only `timeout_ms` counts. */
  silence_ms?: number;
  /** Plain http is for files that carry a signature of their own, such as CRLs. */
  schemes: readonly ('https:' | 'http:')[];
  /** Such as the validators of a copy that one has (RFC 9110 §13.1): every hop is sent them. */
  requestFields?: RequestFields;
  /** Such as a key: only the URL's own origin is sent them, wherever it redirects to. */
  originFields?: RequestFields;
  /** Names that are not contacted, nor what is an alias of one. */
  isDenied(host: string): boolean;
  /** Asked about the host of each URL, where anybody could have chosen it. */
  isOptedOut?: ((host: string) => Promise<boolean>) | undefined;
}

export interface Fetched {
  status: number;
  /** Content-Encoding removed. */
  body: Uint8Array;
  /** Where the body came from in the end. */
  url: string;
  remoteAddress: string;
  /** Validators of this body (RFC 9110 §8.8); empty without. */
  etag: string;
  lastModified: string;
  /** Seconds or a date, as sent (RFC 9110 §10.2.3); empty without. */
  retryAfter: string;
}

const REDIRECTS_MAX = 3;

/**
 * Fetches one file from an untrusted server. Every hop is judged anew: its scheme, its name, each of its addresses, its
 * certificate. A connection is kept for a redirect within its origin, and none outlives the call: the next caller has a dialler, rates and
 * a deadline of its own. Any status is an answer. Rejects with `ProbeFailure`: dns_…, connect_…, tls_…, http_…, blocked_…, too_large.
 */
export function fetchBytes(options: FetchOptions): Promise<Fetched> {
  const { clock, timeout_ms, silence_ms, maxBytes } = options;
  let trace = startTrace(clock.now());
  const outOfTime = () => timeoutOf(trace, timeout_ms);
  const until = clock.now() + timeout_ms;
  const heard: Heard = { hops: 0, socket: undefined };
  const whileHeard = (work: (signal: AbortSignal) => Promise<Fetched>) => (signal: AbortSignal) => {
    if (silence_ms === undefined) return work(signal);
    const silence = () => new ProbeFailure('http_timeout', `nothing came for ${silence_ms / 1_000} s`);
    return within({ now: () => clock.now(), sleep: (ms, end) => untilSilent(clock, ms, heard, end) }, silence_ms, signal, silence, work);
  };
  const work = whileHeard(async (signal) => {
    let client: OriginClient | undefined;
    try {
      let url = options.url;
      for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
        trace = startTrace(clock.now());
        heard.hops++;
        const target = judgeUrl(url, options.schemes);
        if (client?.origin !== target.url.origin) {
          client?.close();
          client = new OriginClient(target.url.origin, { headBytes: HEAD_LIMITS.bytes, interim: HEAD_LIMITS.interim, bodyBytes: maxBytes });
        }
        const { body, remoteAddress, ...head } = await get(client, target, trace, { ...options, until, signal, heard });
        const next = redirectTarget(head, url);
        if (next === '')
          return {
            status: head.status,
            body: await unpack(head, body, maxBytes),
            url,
            remoteAddress,
            etag: headerValues(head, 'etag')[0] ?? '',
            lastModified: headerValues(head, 'last-modified')[0] ?? '',
            retryAfter: headerValues(head, 'retry-after')[0] ?? '',
          };
        url = next;
      }
      throw new ProbeFailure('http_protocol', `more than ${REDIRECTS_MAX} redirects`);
    } catch (error) {
      throw signal.aborted ? abortFailure(signal) : error;
    } finally {
      client?.close();
    }
  });
  return within(clock, timeout_ms, options.signal, outOfTime, work);
}

/** The signs that a server is not silent. */
interface Heard {
  hops: number;
  socket: Socket | undefined;
}

const LOOKS = 5;

/** Resolves once nothing has come for so long, give or take a fifth. */
async function untilSilent(clock: Clock, ms: number, heard: Heard, signal?: AbortSignal): Promise<void> {
  const count = () => heard.hops + (heard.socket?.bytesRead ?? 0);
  let [last, since] = [count(), clock.now()];
  while (clock.now() - since < ms) {
    await clock.sleep(ms / LOOKS, signal);
    const now = count();
    if (now !== last) [last, since] = [now, clock.now()];
  }
}

function judgeUrl(url: string, schemes: FetchOptions['schemes']): ParsedUrl {
  const target = parseHttpUrl(url);
  if (!target) throw new ProbeFailure('blocked_policy', 'not an http or https URL');
  if (!schemes.some((scheme) => scheme === target.url.protocol))
    throw new ProbeFailure('blocked_policy', `${target.url.protocol} is not allowed here`);
  return target;
}

type Answer = Pick<HttpHead, 'status' | 'headers'> & Pick<Fetched, 'body' | 'remoteAddress'>;

async function get(
  client: OriginClient,
  target: ParsedUrl,
  trace: HttpTrace,
  options: FetchOptions & { until: number; heard: Heard },
): Promise<Answer> {
  const { dialler, clock, userAgent, maxBytes, signal } = options;
  const refuseDenied = (name: string): void => {
    if (options.isDenied(name)) throw new ProbeFailure('blocked_policy', name);
  };
  refuseDenied(target.host);
  if (target.kind === 'name' && (await options.isOptedOut?.(target.host))) throw new ProbeFailure('blocked_policy', target.host);
  const addresses = await resolveTargets(target, options, { families: familiesOf(target, 6), signal, onAlias: refuseDenied });
  const fields = { ...options.requestFields, ...(target.url.origin === new URL(options.url).origin && options.originFields) };
  const path = `${target.url.pathname}${target.url.search}`;
  const ask = async (remoteAddress: string, socket?: Socket): Promise<Answer> => {
    const onFirstByte = () => (trace.firstByte ??= clock.now());
    const { headers, ...answer } = await client.get({ path, headers: requestFields(userAgent, fields), socket, onFirstByte });
    signal.throwIfAborted(); // which ends a body without a length
    return { ...answer, remoteAddress, headers: headers.map(([name, value]) => [name, headerText(value)]) };
  };
  const { keptAddress } = client;
  if (addresses.first.includes(keptAddress)) {
    trace.phase = 'answer';
    try {
      return await ask(keptAddress);
    } catch (error) {
      // A server may close a kept connection at any time: a GET may be repeated then (RFC 9112 §9.3.1).
      if (trace.firstByte !== undefined || signal.aborted) throw error;
    }
  }
  const dial: Dial = (address, limited) => dialler.tcp({ address, port: target.port, host: target.host, signal: limited });
  const opener = new Opener({ addresses, dial, until: options.until }, { trace, clock, signal });
  const connection = { ...options, target, trace, verify: true, opener };
  const socket = await openConnection(connection);
  options.heard.socket = socket;
  if (trace.tls?.alpn !== 'h2')
    return await ask(trace.remoteAddress!, socket).catch((error: unknown) => {
      throw refusalOf(error, connection);
    });
  // undici takes a reset stream for a whole body (ADR 6).
  const chunks: Uint8Array[] = [];
  const onBody = (chunk: Uint8Array) => void chunks.push(chunk);
  await answerOver(socket, { ...connection, requestFields: fields, bodyMaxBytes: maxBytes, onBody });
  if (trace.bodyTruncated) throw new ProbeFailure('too_large', `more than ${maxBytes} bytes`);
  return { ...trace.head!, body: Buffer.concat(chunks), remoteAddress: trace.remoteAddress! };
}

type Decode = (bytes: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>;

/** The codings that our requests accept. */
const DECODERS = new Map<string, Decode>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

async function unpack(head: Pick<HttpHead, 'headers'>, body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const [coding, ...others] = contentCodings(head);
  if (coding === undefined || body.length === 0) return body;
  const decode = DECODERS.get(coding);
  if (!decode || others.length > 0) throw new ProbeFailure('http_protocol', 'an unknown Content-Encoding');
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    const isBomb = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isBomb
      ? new ProbeFailure('too_large', `unpacks to more than ${maxBytes} bytes`, { cause: error })
      : new ProbeFailure('http_protocol', 'the body cannot be unpacked', { cause: error });
  }
}
