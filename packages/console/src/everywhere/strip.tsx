import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { isObject, type Members } from '../report/shape.ts';

const BAR = 6;
const GAP = 2;
const HEIGHT = 16;
const SHOWN = 16;

/** Each echo of a ping as a bar; one without a reply is a hollow mark, so that no colour is needed to see it. */
export function Strip({ output, scale }: { output: Members; scale: ReadonlySignal<number> }): JSX.Element | null {
  const sent = Number(output['packets_sent'] ?? 0);
  if (!Array.isArray(output['icmp_requests']) || !(sent > 0)) return null;
  const times = new Map(
    (output['icmp_requests'] as unknown[]).filter(isObject).map(({ icmp_seq: seq, time_ms: ms }) => [Number(seq), Number(ms)]),
  );
  const first = Math.min(1, ...times.keys());
  const sequence = Array.from({ length: Math.min(sent, SHOWN) }, (_, i) => times.get(first + i));
  const bars = sequence.map((ms, i) => {
    if (ms === undefined) return '';
    const height = Math.min(HEIGHT, Math.max(2, Math.round((ms / scale.value) * HEIGHT)));
    return `M${i * (BAR + GAP)} ${HEIGHT}v-${height}h${BAR}v${height}z`;
  });
  const lost = sequence.map((ms, i) =>
    ms === undefined ? `M${i * (BAR + GAP) + 0.5} ${HEIGHT - 0.5}v-${BAR - 1}h${BAR - 1}v${BAR - 1}z` : '',
  );
  const got = [...times.values()];
  const range = got.length > 0 ? `, ${Math.min(...got)} to ${Math.max(...got)} ms` : '';
  const label = `${sent} echoes${range}, ${sent - got.length === 0 ? 'none' : sent - got.length} lost`;
  const width = SHOWN * (BAR + GAP);
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${Math.min(sent, SHOWN) * (BAR + GAP)} ${HEIGHT}`}
      width={Math.min(width, sent * (BAR + GAP))}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      <path class="got" d={bars.join('')} />
      <path class="lost" d={lost.join('')} />
    </svg>
  );
}
