import type { Tone } from '../look/tone.ts';
import { isObject, type Members, plainText } from '../report/shape.ts';

/** One request on the time line of a page. Times are in ms since the first one. */
export interface Lane {
  url: string;
  note: string;
  tone: Tone;
  from: number;
  /** ms until the head of the answer. */
  waitMs: number;
  ms: number;
}

const number = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

function laneOf(request: Members): Lane {
  const { url, method, status_code: status, resource_type: type, elapsed_ms: elapsed, started_ms: started, ttfb_ms: ttfb, error } = request;
  const code = number(status);
  const ms = number(elapsed);
  return {
    url: plainText(url),
    note: [method === 'GET' ? '' : plainText(method), plainText(type), code > 0 ? String(code) : plainText(error)]
      .filter(Boolean)
      .join(' · '),
    tone: code === 0 ? 'bad' : code >= 400 ? 'warn' : 'none',
    from: number(started),
    waitMs: Math.min(ms, number(ttfb)),
    ms,
  };
}

/** The requests of a page in their order; none where a renderer told no times. */
export function lanesOf({ http_requests: requests }: Members): Lane[] {
  const lanes = Array.isArray(requests) ? (requests as unknown[]).filter(isObject).map(laneOf) : [];
  return lanes.length > 1 && lanes.every(({ from }) => from === 0) ? [] : lanes;
}
