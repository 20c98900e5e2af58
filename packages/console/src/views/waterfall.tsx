import type { JSX } from 'preact';
import { outputOf } from '@vedette/client/entries';
import { rounded } from '../everywhere/columns.ts';
import type { LocationRow } from '../everywhere/rows.ts';
import { ShortText } from '../report/text.tsx';
import { endOf, type Phase, type PhaseName, PHASES, phasesOf } from './phases.ts';

const className = (name: PhaseName): string => `phase ${name.toLowerCase().replace(' ', '-')}`;

/** The phases of each location's request on one scale. Rows are there before they answer. */
export function Waterfall({ rows }: { rows: readonly LocationRow[] }): JSX.Element {
  const all = rows.map((row) => ({ row, phases: row.entry ? phasesOf(outputOf(row.entry)) : [] }));
  const slowest = Math.max(1, ...all.map(({ phases }) => endOf(phases)));
  return (
    <figure class="view waterfall">
      <figcaption>
        <strong>Time by phase</strong>
        <ul class="legend" aria-hidden="true">
          {PHASES.map((name) => (
            <li key={name}>
              <svg viewBox="0 0 12 12">
                <rect class={className(name)} width="12" height="12" />
              </svg>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <ul class="lanes">
        {all.map(({ row, phases }) => (
          <li key={row.id}>
            <span class="place">
              <ShortText text={row.city === '' ? row.id : row.city} chars={40} />
            </span>
            <svg role="img" aria-label={inWords(row, phases)}>
              <line class="ground" x1="0" y1="50%" x2="100%" y2="50%" />
              {phases.map(({ name, from, ms }) => (
                <rect key={name} class={className(name)} x={percent(from, slowest)} width={percent(ms, slowest)} y="2" height="16">
                  <title>{`${name}: ${rounded(ms)} ms`}</title>
                </rect>
              ))}
            </svg>
            <span class="total">{phases.length > 0 ? `${rounded(endOf(phases))}\u00a0ms` : '–'}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}

const percent = (ms: number, of: number): string => `${((ms / of) * 100).toFixed(2)}%`;

const inWords = (row: LocationRow, phases: readonly Phase[]): string =>
  phases.length === 0 ? row.state : phases.map(({ name, ms }) => `${name} ${rounded(ms)} ms`).join(', ');
