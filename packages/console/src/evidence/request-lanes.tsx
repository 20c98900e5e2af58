import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Shape } from '../look/state.tsx';
import type { Members } from '../report/shape.ts';
import { ShortText } from '../report/text.tsx';
import { type Lane, lanesOf } from './requests.ts';

const SHOWN = 50;

/** The requests of a page on one scale of time. */
export function RequestLanes({ report }: { report: Members }): JSX.Element | null {
  const [isWhole, setWhole] = useState(false);
  const lanes = lanesOf(report);
  if (lanes.length === 0) return null;
  const end = Math.max(1, ...lanes.map(({ from, ms }) => from + ms));
  const shown = isWhole ? lanes : lanes.slice(0, SHOWN);
  return (
    <figure class="view waterfall requests">
      <figcaption>
        <strong>Requests over time</strong>
        <ul class="legend" aria-hidden="true">
          <li>
            <svg viewBox="0 0 12 12">
              <rect class="phase first-byte" width="12" height="12" />
            </svg>
            Waiting
          </li>
          <li>
            <svg viewBox="0 0 12 12">
              <rect class="phase connect" width="12" height="12" />
            </svg>
            Receiving
          </li>
        </ul>
        <span class="muted">{end} ms in all</span>
      </figcaption>
      <ol class="lanes">
        {shown.map((lane, i) => (
          <li key={i}>
            <span class="place">
              <Shape tone={lane.tone} />
              <ShortText text={shortened(lane.url)} chars={120} />
              <small>
                <ShortText text={lane.note} chars={80} />
              </small>
            </span>
            <Bars lane={lane} end={end} />
            <span class="total">{lane.ms > 0 ? `${lane.ms}\u00a0ms` : '–'}</span>
          </li>
        ))}
      </ol>
      {shown.length < lanes.length && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {lanes.length} requests
        </button>
      )}
    </figure>
  );
}

/** Ends of addresses tell requests apart: the host and the end stay, and https goes without saying. */
function shortened(url: string): string {
  const bare = url.slice(0, MAX_CHARS).replace(/^https:\/\//, '');
  const [host = ''] = /^[^/?#]{0,40}/.exec(bare) ?? [];
  return bare.length <= SHOWN_CHARS ? bare : `${host}/…${bare.slice(host.length - SHOWN_CHARS)}`;
}
const MAX_CHARS = 2_048;
const SHOWN_CHARS = 56;

const percent = (ms: number, of: number): string => `${((ms / of) * 100).toFixed(2)}%`;

const Bars = ({ lane: { from, waitMs, ms }, end }: { lane: Lane; end: number }): JSX.Element => (
  <svg role="img" aria-label={`from ${from} ms, ${ms} ms long, of which ${waitMs} ms until the head of the answer`}>
    <line class="ground" x1="0" y1="50%" x2="100%" y2="50%" />
    {waitMs > 0 && <rect class="phase first-byte" x={percent(from, end)} width={percent(waitMs, end)} y="4" height="12" />}
    {ms > waitMs && <rect class="phase connect" x={percent(from + waitMs, end)} width={percent(ms - waitMs, end)} y="4" height="12" />}
  </svg>
);
