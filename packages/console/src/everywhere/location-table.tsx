import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import { Fragment, type JSX } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Run } from '../api/runs.ts';
import { Indicated } from '../indicators/indicated.tsx';
import { State } from '../look/state.tsx';
import { compare, plainText } from '../report/shape.ts';
import { ShortText } from '../report/text.tsx';
import { has, ListTools } from '../report/list-tools.tsx';
import { Members } from '../report/value.tsx';
import { type Column, columnsOf, rounded } from './columns.ts';
import { outputOf } from '@vedette/client/entries';
import type { LocationRow } from './rows.ts';
import { Strip } from './strip.tsx';

interface Order {
  column: number;
  isDown: boolean;
}

const LOCATION: Column = { name: 'Location', of: (_output, entry) => plainText(entry['city_name']) };

/** The locations of a run: sorted by a press on a heading, opened by a press on a name. */
export function LocationTable({ run, rows }: { run: Run; rows: readonly LocationRow[] }): JSX.Element {
  const [order, setOrder] = useState<Order | undefined>(undefined);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [wanted, setWanted] = useState('');
  const columns = useMemo(() => [LOCATION, ...columnsOf(run.operation.name)], [run.operation]);
  const valueOf = ({ entry }: LocationRow, column: Column) => entry && column.of(outputOf(entry), entry);
  const found = wanted === '' ? rows : rows.filter((row) => has(JSON.stringify([row.id, row.city, row.state, row.entry]), wanted));
  const sorted =
    order === undefined
      ? found
      : [...found].sort((a, b) => compareRows(valueOf(a, columns[order.column]!), valueOf(b, columns[order.column]!), order.isDown));
  const cells = (): string[][] => [
    [...columns.map(({ name }) => name), 'State'],
    ...sorted.map((row) => [...columns.map((column) => plainText(valueOf(row, column))), row.state]),
  ];
  const hasStrips = run.operation.name === 'ping-test';
  const scale = useScale(Math.max(...rows.flatMap(({ ms }) => ms ?? []), 1));
  // One text: what stands behind a number that grows would move.
  const echoes = useComputed(() => `Echoes, to ${scale.value} ms`);
  const toggle = (id: string) => setOpen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  // Answers come once a frame, and a hundred rows take longer than one: a row without a change is the same element, and is left alone.
  const drawn = useMemo(() => new WeakMap<LocationRow, { isOpen: boolean; element: JSX.Element }>(), [columns]);
  const rowsFor = (row: LocationRow): JSX.Element => {
    const isOpen = open.has(row.id);
    if (drawn.get(row)?.isOpen !== isOpen) {
      const props = { row, columns, valueOf, scale: hasStrips ? scale : undefined, isOpen, toggle: () => toggle(row.id) };
      drawn.set(row, { isOpen, element: <Rows key={row.id} {...props} /> });
    }
    return drawn.get(row)!.element;
  };
  const isAllOpen = open.size > 0 && rows.every(({ id }) => open.has(id));
  return (
    <>
      <ListTools name="the locations" count={rows.length} wanted={wanted} setWanted={setWanted} cells={cells}>
        <button type="button" class="small" onClick={() => setOpen(new Set(isAllOpen ? [] : rows.map(({ id }) => id)))}>
          {isAllOpen ? 'Close all' : 'Open all'}
        </button>
      </ListTools>
      <div class="scroll" role="region" aria-label="Locations" tabIndex={0}>
        <table class="locations" role="table" style={{ '--columns': widthsOf(columns, hasStrips) }}>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column, i) => (
                <Fragment key={column.name}>
                  <th
                    role="columnheader"
                    scope="col"
                    class={classOf(column)}
                    aria-sort={order?.column !== i ? 'none' : order.isDown ? 'descending' : 'ascending'}
                  >
                    <button type="button" onClick={() => setOrder({ column: i, isDown: order?.column === i && !order.isDown })}>
                      {column.name}
                    </button>
                  </th>
                  {i === 0 && (
                    <th role="columnheader" scope="col">
                      State
                    </th>
                  )}
                </Fragment>
              ))}
              {hasStrips && (
                <th role="columnheader" scope="col">
                  {echoes}
                </th>
              )}
            </tr>
          </thead>
          <tbody role="rowgroup">{sorted.map(rowsFor)}</tbody>
        </table>
      </div>
    </>
  );
}

interface RowProps {
  row: LocationRow;
  columns: readonly Column[];
  valueOf: (row: LocationRow, column: Column) => string | number | undefined;
  /** The time of the highest bar in ms, where there are strips. */
  scale: ReadonlySignal<number> | undefined;
  isOpen: boolean;
  /** The same in each drawing, as `valueOf` is. */
  toggle: () => void;
}

const Rows = ({ row, columns, valueOf, scale, isOpen, toggle }: RowProps): JSX.Element => (
  <Fragment>
    <tr role="row" class={row.entry === undefined ? 'waiting' : ''}>
      <th role="rowheader" scope="row">
        <button type="button" class="opener" disabled={row.entry === undefined} aria-expanded={isOpen} onClick={toggle}>
          <span class="city">
            <ShortText text={row.city === '' ? row.id : row.city} />
          </span>{' '}
          <span class="muted">
            <ShortText text={row.city === '' ? '' : row.id} />
          </span>
        </button>
      </th>
      <td role="cell">
        <State tone={row.tone}>{row.state}</State>
      </td>
      {row.entry === undefined ? (
        <td role="cell" class="rest" colSpan={columns.length - (scale === undefined ? 1 : 0)} />
      ) : (
        columns.slice(1).map((column) => cellOf(column, valueOf(row, column)))
      )}
      {row.entry && scale !== undefined && (
        <td role="cell">
          <Strip output={outputOf(row.entry)} scale={scale} />
        </td>
      )}
    </tr>
    {row.entry && isOpen && (
      <tr role="row" class="below">
        <td role="cell" colSpan={columns.length + (scale === undefined ? 1 : 2)}>
          <Members path={['locations']} value={row.entry} />
        </td>
      </tr>
    )}
  </Fragment>
);

/** A round number of ms that is not below the slowest. It is a signal: when it changes, the strips are drawn anew, and no rows. */
function useScale(slowest: number): ReadonlySignal<number> {
  const ten = 10 ** Math.floor(Math.log10(slowest));
  const above = [1, 2, 5, 10].map((step) => step * ten).find((ms) => ms >= slowest)!;
  const scale = useSignal(above);
  useLayoutEffect(() => {
    scale.value = above;
  }, [above]);
  return scale;
}

/** Columns have their widths before their values come: nothing moves. */
const widthsOf = (columns: readonly Column[], hasStrips: boolean): string =>
  [
    '210px 112px',
    ...columns.slice(1).map((column) => (classOf(column) === 'address' ? '272px' : 'minmax(0, 1fr)')),
    ...(hasStrips ? ['minmax(144px, 1fr)'] : []),
  ].join(' ');

/** Units stand below each other; an address has its width. */
const classOf = ({ name, unit }: Column): string => (unit !== undefined ? 'right' : name === 'Address' ? 'address' : '');

/** Missing values come last, whichever way. */
function compareRows(a: unknown, b: unknown, isDown: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compare(a, b) * (isDown ? -1 : 1);
}

const cellOf = (column: Column, value: string | number | undefined): JSX.Element => (
  <td key={column.name} role="cell" class={typeof value === 'number' ? 'right' : classOf(column)}>
    {value === undefined || value === '' ? (
      '–'
    ) : typeof value === 'number' ? (
      withUnit(column, value)
    ) : (
      <Indicated name={column.name} text={value} chars={120} />
    )}
  </td>
);

const withUnit = ({ unit }: Column, value: number): string =>
  unit === 'ms' ? `${rounded(value)} ms` : `${value}${unit === undefined ? '' : ` ${unit}`}`;
