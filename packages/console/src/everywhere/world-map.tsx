import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { locations } from '../api/locations.ts';
import type { Tone } from '../look/tone.ts';
import { pointOf } from './projection.ts';
import type { LocationRow } from './rows.ts';
import world from './world.json' with { type: 'json' };

/** The part of the map that is shown: all but most of Antarctica. */
const SHOWN = '40 4 890 396';

/** Points nearer than this are one, with their number. */
const CELL = 14;

interface Place {
  x: number;
  y: number;
  rows: LocationRow[];
}

function placesOf(rows: readonly LocationRow[]): Place[] {
  const cells = new Map<string, Place>();
  for (const row of rows) {
    const known = locations.value.get(row.id);
    const point = known && pointOf(known.latitude, known.longitude);
    if (point === undefined) continue;
    const cell = `${Math.round(point.x / CELL)} ${Math.round(point.y / CELL)}`;
    const there = cells.get(cell);
    if (there === undefined) cells.set(cell, { ...point, rows: [row] });
    else there.rows.push(row);
  }
  return [...cells.values()];
}

/** The worst of several counts. */
const ORDER: readonly Tone[] = ['bad', 'warn', 'good', 'none'];
const toneOf = (rows: readonly LocationRow[]): Tone => ORDER.find((tone) => rows.some((row) => row.tone === tone)) ?? 'none';

const MARKS: Readonly<Record<Tone, string>> = {
  good: 'M-6 0a6 6 0 1 1 12 0a6 6 0 1 1 -12 0',
  warn: 'M0 -8L8 6H-8z',
  bad: 'M-3 -7h6l4 4v6l-4 4h-6l-4 -4v-6z',
  none: 'M-4 0a4 4 0 1 1 8 0a4 4 0 1 1 -8 0',
};

/** The table beside it is the accessible form. The points are a picture of their own: coasts are not drawn again for each of them. */
export function WorldMap({ rows }: { rows: readonly LocationRow[] }): JSX.Element {
  // A point without a change is the same element, and is left alone.
  const drawn = useRef(new Map<string, { is: string; element: JSX.Element }>()).current;
  return (
    <div class="map" aria-hidden="true">
      <svg class="world" viewBox={SHOWN}>
        <path class="land" d={world.land} />
        <path class="borders" d={world.borders} />
      </svg>
      <svg viewBox={SHOWN}>
        {placesOf(rows).map(({ x, y, rows: here }) => {
          const point = { x, y, tone: toneOf(here), count: here.length, isWaiting: here.every(({ entry }) => entry === undefined) };
          const is = JSON.stringify(point);
          const at = `${x} ${y}`;
          if (drawn.get(at)?.is !== is) drawn.set(at, { is, element: <Point key={at} {...point} /> });
          return drawn.get(at)!.element;
        })}
      </svg>
    </div>
  );
}

interface PointProps {
  x: number;
  y: number;
  tone: Tone;
  count: number;
  isWaiting: boolean;
}

const Point = ({ x, y, tone, count, isWaiting }: PointProps): JSX.Element => (
  <g class={`point ${tone} ${isWaiting ? 'waiting' : ''}`} transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
    <path d={MARKS[tone]} />
    {count > 1 && (
      <text x="9" y="-6">
        {count}
      </text>
    )}
  </g>
);
