import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { type ParsedUrl, parseHttpUrl, ProbeFailure, within, type ProbePorts } from '@vedette/contract';
import { familiesOf } from '../host/judge-host.ts';
import { abortFailure } from '../net/dialler.ts';
import { exchange, opener } from './wire/exchange.ts';
import { contentCodings, headerValues, type HttpHead, redirectTarget, type RequestFields } from './wire/message.ts';
import { resolveTargets } from './target.ts';
import { startTrace, timeoutOf } from './trace.ts';

export interface FetchOptions extends Pick<ProbePorts, 'dialler' | 'clock' | 'ca' | 'userAgent'> {
  resolver: Pick<ProbePorts['resolver'], 'addresses'>;
  signal: AbortSignal;
  url: string;
  /** Limit on the body as transferred, and again on what it unpacks to. */
  maxBytes: number;
  timeout_ms: number;
  /** Plain http is for files that carry a signature of their own, such as CRLs. */
  schemes: readonly ('https:' | 'http:')[];
  /** Such as the validators of a copy that one has (RFC 9110 §13.1): every hop is sent them. */
  requestFields?: RequestFields;
  /** Such as a key: only the URL's own origin is sent them, wherever it redirects to. */
  originFields?: RequestFields;
  /** Names that are not contacted, nor what is an alias of one. */
  isDenied(host: string): boolean;
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
 * certificate. Any status is an answer. Rejects with `ProbeFailure`: dns_…, connect_…, tls_…, http_…, blocked_…, too_large.
 */
export function fetchBytes(options: FetchOptions): Promise<Fetched> {
  let trace = startTrace(options.clock.now());
  const outOfTime = () => timeoutOf(trace, options.timeout_ms);
  return within(options.clock, options.timeout_ms, options.signal, outOfTime, async (signal) => {
    try {
      let url = options.url;
      for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
        trace = startTrace(options.clock.now());
        const body = await get(judgeUrl(url, options.schemes), trace, options, signal);
        const head = trace.head!;
        const next = redirectTarget(head, url);
        if (next === '')
          return {
            status: head.status,
            body: await unpack(head, body, options.maxBytes),
            url,
            remoteAddress: trace.remoteAddress!,
            etag: headerValues(head, 'etag')[0] ?? '',
            lastModified: headerValues(head, 'last-modified')[0] ?? '',
            retryAfter: headerValues(head, 'retry-after')[0] ?? '',
          };
        url = next;
      }
      throw new ProbeFailure('http_protocol', `more than ${REDIRECTS_MAX} redirects`);
    } catch (error) {
      throw signal.aborted ? abortFailure(signal) : error;
    }
  });
}

function judgeUrl(url: string, schemes: FetchOptions['schemes']): ParsedUrl {
  const target = parseHttpUrl(url);
  if (!target) throw new ProbeFailure('blocked_policy', 'not an http or https URL');
  if (!schemes.some((scheme) => scheme === target.url.protocol))
    throw new ProbeFailure('blocked_policy', `${target.url.protocol} is not allowed here`);
  return target;
}

async function get(
  target: ParsedUrl,
  trace: ReturnType<typeof startTrace>,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { dialler, clock, ca, userAgent, maxBytes } = options;
  const refuseDenied = (name: string): void => {
    if (options.isDenied(name)) throw new ProbeFailure('blocked_policy', name);
  };
  refuseDenied(target.host);
  const addresses = await resolveTargets(target, options, { families: familiesOf(target), signal, onAlias: refuseDenied });
  const chunks: Uint8Array[] = [];
  await exchange({
    target,
    trace,
    open: opener(
      { addresses, dial: (address, limited) => dialler.tcp({ address, port: target.port, host: target.host, signal: limited }) },
      { trace, clock, signal },
    ),
    onBody: (chunk) => chunks.push(chunk),
    bodyMaxBytes: maxBytes,
    ca,
    userAgent,
    requestFields: { ...options.requestFields, ...(target.url.origin === new URL(options.url).origin && options.originFields) },
    clock,
    signal,
  });
  if (trace.tls && !trace.tls.certificate.valid) throw new ProbeFailure('tls_cert_invalid', trace.tls.certificate.error);
  if (trace.bodyTruncated) throw new ProbeFailure('too_large', `more than ${maxBytes} bytes`);
  return Buffer.concat(chunks);
}

type Decode = (bytes: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>;

/** The codings that our requests accept. */
const DECODERS = new Map<string, Decode>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

async function unpack(head: HttpHead, body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
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
