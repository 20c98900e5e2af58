import type { JSX } from 'preact';
import { locations } from '../api/locations.ts';
import type { Tone } from '../look/tone.ts';
import { pointOf } from './projection.ts';
import type { LocationRow } from './rows.ts';
import world from './world.json' with { type: 'json' };

/** The part of the map that is shown: all but most of Antarctica. */
const SHOWN = '40 4 890 396';

/** Points nearer than this are one, with their number. */
const CELL = 14;

interface Point {
  x: number;
  y: number;
  rows: LocationRow[];
}

function pointsOf(rows: readonly LocationRow[]): Point[] {
  const cells = new Map<string, Point>();
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
  return (
    <div class="map" aria-hidden="true">
      <svg class="world" viewBox={SHOWN}>
        <path class="land" d={world.land} />
        <path class="borders" d={world.borders} />
      </svg>
      <svg viewBox={SHOWN}>
        {pointsOf(rows).map(({ x, y, rows: here }) => (
          <g
            key={`${x} ${y}`}
            class={`point ${toneOf(here)} ${here.every(({ entry }) => entry === undefined) ? 'waiting' : ''}`}
            transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
          >
            <path d={MARKS[toneOf(here)]} />
            {here.length > 1 && (
              <text x="9" y="-6">
                {here.length}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}
