import { fromRe2 } from '../patterns/re2.ts';
import { type PatternTest, type Patterns, ProbeFailure } from '@vedette/contract';
import type { Static } from 'typebox';
import { chainDetail } from '../net/handshake/chain-detail.ts';
import { chainOf } from '../net/tls.ts';
import { unpackUpTo } from './wire/coding.ts';
import { type HttpDetail, LATER_KEYS } from './detail-schema.ts';
import { type Hops, KEPT_MAX_BYTES } from './hops.ts';
import { contentCodings, headerValues, type HttpHead } from './wire/message.ts';
import type { HttpTrace } from './trace.ts';

type HttpDetail = Static<typeof HttpDetail>;

/** The patterns that a job looks for in an answer, and the form that its body must have. */
export interface Sought {
  compression?: string | undefined;
  body_max_bytes?: number | undefined;
  body_matches?: readonly string[] | undefined;
  header_matches?: readonly { header: string; regexp: string }[] | undefined;
}

/** The findings in the last answer. */
export type Found = Pick<HttpDetail, 'uncompressed_body_bytes' | 'body_matches' | 'header_matches'>;

/** Findings, and the fault of a body that is not in the form that the job asked for. */
export interface Searched {
  found: Found;
  fault?: ProbeFailure;
}

export const FOUND_NOTHING: Found = { uncompressed_body_bytes: 0, body_matches: [], header_matches: [] };

/** The patterns of a job, compiled. Throws `SyntaxError`. */
export function patternsOf({ body_matches = [], header_matches = [] }: Sought): { body: RegExp[]; headers: [name: string, RegExp][] } {
  return {
    body: body_matches.map(fromRe2),
    headers: header_matches.map(({ header, regexp }) => [header.toLowerCase(), fromRe2(regexp)]),
  };
}

/** Unpacks what was kept of the last body and looks for the patterns. The limit of a body counts what comes out, as in blackbox_exporter. */
export async function search(
  hops: Hops,
  { body, headers }: ReturnType<typeof patternsOf>,
  { compression, body_max_bytes: maxBytes = Infinity }: Sought,
  patterns: Patterns,
  signal: AbortSignal,
): Promise<Searched> {
  const { head, bodyBytes } = hops.traces.at(-1)!;
  const codings = compression === undefined ? contentCodings(head!) : [compression];
  const packed = Buffer.concat(hops.chunks);
  const { bytes, broken } = await unpackUpTo(codings, packed, KEPT_MAX_BYTES);
  const length = codings.length === 0 ? bodyBytes : bytes.length;
  const texts = body.length === 0 ? [] : [new TextDecoder().decode(bytes)];
  const tests: PatternTest[] = [
    ...body.map((pattern) => ({ pattern, texts })),
    ...headers.map(([name, pattern]) => ({ pattern, texts: headerValues(head!, name) })),
  ];
  const found = (await patterns.match(tests, signal)) ?? [];
  const fault =
    length > maxBytes
      ? new ProbeFailure('too_large', `a body of more than ${maxBytes} bytes`)
      : compression !== undefined && (broken || packed.length === 0)
        ? new ProbeFailure('http_protocol', `the body is not ${compression}`)
        : undefined;
  return {
    found: {
      uncompressed_body_bytes: Math.min(length, maxBytes),
      body_matches: found.slice(0, body.length),
      header_matches: found.slice(body.length),
    },
    ...(fault && { fault }),
  };
}

/** The state at `now` on the clock. */
export function detailOf({ traces, url }: Hops, found: Found, ca: readonly string[], now: number): HttpDetail {
  const last = traces.at(-1);
  const { head, shown } = last ?? {};
  const length = head && headerValues(head, 'content-length')[0];
  const [tried] = last?.tried ?? [];
  return {
    heeds: [...LATER_KEYS],
    ...(tried && { tried_address: tried.address }),
    redirects: Math.max(0, traces.length - 1),
    final_url: url,
    phases: phasesOf(traces, now),
    ...(length !== undefined && /^\d{1,15}$/.test(length) && { content_length: Number(length) }),
    ...found,
    ...lastModified(head),
    ...(shown && { tls: chainDetail(shown.leaf, last?.tls?.certificate.valid === true ? chainOf(shown.leaf, ca) : undefined) }),
  };
}

/** IMF-fixdate, and the two older forms that recipients have to read (RFC 9110 §5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]+,? .* (?:GMT|\d{4})$/;

function lastModified(head: HttpHead | undefined): { last_modified?: number } {
  const date = (head && headerValues(head, 'last-modified')[0]) ?? '';
  const ms = HTTP_DATE.test(date) ? Date.parse(date.endsWith('GMT') ? date : `${date} GMT`) : Number.NaN;
  return Number.isNaN(ms) ? {} : { last_modified: ms / 1000 };
}

/**
 * The phases of all hops. One that did not end is 0, as for blackbox_exporter, whose users have alerts on each; only the body, which came in part,
 * counts until now.
 */
function phasesOf(traces: readonly HttpTrace[], now: number): HttpDetail['phases'] {
  const sum = (part: (trace: HttpTrace) => number) => traces.reduce((total, trace) => total + Math.max(0, part(trace)), 0);
  return {
    resolve_ms: sum(({ started, resolved = started }) => resolved - started),
    connect_ms: sum(({ connecting = now, connected = connecting }) => connected - connecting),
    tls_ms: sum(({ connected = now, secured = connected }) => secured - connected),
    processing_ms: sum(({ connected = now, secured = connected, firstByte = secured }) => firstByte - secured),
    transfer_ms: sum(({ firstByte = now, ended = now }) => ended - firstByte),
  };
}
