import { Component, Fragment, type JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Run } from '../api/runs.ts';
import { Indicated } from '../indicators/indicated.tsx';
import { State } from '../look/state.tsx';
import { compare, plainText } from '../report/shape.ts';
import { ShortText } from '../report/text.tsx';
import { has, ListTools } from '../report/list-tools.tsx';
import { Members } from '../report/value.tsx';
import { type Column, columnsOf, rounded, timeOf } from './columns.ts';
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
  const slowest = Math.max(...rows.flatMap(({ entry }) => timeOf(run.operation.name, entry ?? {}) ?? []), 1);
  const cells = (): string[][] => [
    [...columns.map(({ name }) => name), 'State'],
    ...sorted.map((row) => [...columns.map((column) => plainText(valueOf(row, column))), row.state]),
  ];
  const hasStrips = run.operation.name === 'ping-test';
  const toggle = (id: string) => setOpen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const isAllOpen = open.size > 0 && rows.every(({ id }) => open.has(id));
  return (
    <>
      <ListTools name="the locations" count={rows.length} wanted={wanted} setWanted={setWanted} cells={cells}>
        <button type="button" class="small" onClick={() => setOpen(new Set(isAllOpen ? [] : rows.map(({ id }) => id)))}>
          {isAllOpen ? 'Close all' : 'Open all'}
        </button>
      </ListTools>
      <div class="scroll" role="region" aria-label="Locations" tabIndex={0}>
        <table class="locations">
          <thead>
            <tr>
              {columns.map((column, i) => (
                <Fragment key={column.name}>
                  <th
                    scope="col"
                    class={classOf(column)}
                    aria-sort={order?.column !== i ? 'none' : order.isDown ? 'descending' : 'ascending'}
                  >
                    <button type="button" onClick={() => setOrder({ column: i, isDown: order?.column === i && !order.isDown })}>
                      {column.name}
                    </button>
                  </th>
                  {i === 0 && (
                    <th scope="col" class="state-column">
                      State
                    </th>
                  )}
                </Fragment>
              ))}
              {hasStrips && (
                <th scope="col" class="echoes">
                  Echoes
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <Rows
                key={row.id}
                row={row}
                columns={columns}
                valueOf={valueOf}
                slowest={hasStrips ? slowest : undefined}
                isOpen={open.has(row.id)}
                toggle={() => toggle(row.id)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface RowProps {
  row: LocationRow;
  columns: readonly Column[];
  valueOf: (row: LocationRow, column: Column) => string | number | undefined;
  /** The longest time of all rows in ms, where there are strips. */
  slowest: number | undefined;
  isOpen: boolean;
  /** The same in each drawing, as `valueOf` is. */
  toggle: () => void;
}

/** Drawn again only if something of it has changed: entries come once a frame, and 100 rows take longer than one. */
class Rows extends Component<RowProps> {
  override shouldComponentUpdate({ row, columns, slowest, isOpen }: RowProps): boolean {
    const { props } = this;
    return row !== props.row || columns !== props.columns || slowest !== props.slowest || isOpen !== props.isOpen;
  }

  override render(): JSX.Element {
    return <TableRows {...this.props} />;
  }
}

const TableRows = ({ row, columns, valueOf, slowest, isOpen, toggle }: RowProps): JSX.Element => (
  <Fragment>
    <tr class={row.entry === undefined ? 'waiting' : ''}>
      <th scope="row">
        <button type="button" class="opener" disabled={row.entry === undefined} aria-expanded={isOpen} onClick={toggle}>
          <span class="city">
            <ShortText text={row.city === '' ? row.id : row.city} />
          </span>{' '}
          <span class="muted">
            <ShortText text={row.city === '' ? '' : row.id} />
          </span>
        </button>
      </th>
      <td>
        <State tone={row.tone}>{row.state}</State>
      </td>
      {columns.slice(1).map((column) => (
        <Cell key={column.name} column={column} value={valueOf(row, column)} />
      ))}
      {slowest !== undefined && <td class="echoes">{row.entry && <Strip output={outputOf(row.entry)} slowest={slowest} />}</td>}
    </tr>
    {row.entry && isOpen && (
      <tr class="below">
        <td colSpan={columns.length + (slowest === undefined ? 1 : 2)}>
          <Members path={['locations']} value={row.entry} />
        </td>
      </tr>
    )}
  </Fragment>
);

/** Units stand below each other; an address has its width. */
const classOf = ({ name, unit }: Column): string => (unit !== undefined ? 'right' : name === 'Address' ? 'address' : '');

/** Missing values come last, whichever way. */
function compareRows(a: unknown, b: unknown, isDown: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compare(a, b) * (isDown ? -1 : 1);
}

function Cell({ column, value }: { column: Column; value: string | number | undefined }): JSX.Element {
  return (
    <td class={typeof value === 'number' ? 'right' : classOf(column)}>
      {/* A node of its own for each value: one that changes its text counts as moved. */}
      <span key={String(value)}>
        {value === undefined || value === '' ? '–' : <Indicated name={column.name} text={shown(column, value)} chars={120} />}
      </span>
    </td>
  );
}

function shown({ unit }: Column, value: string | number): string {
  if (typeof value === 'string') return value;
  return unit === 'ms' ? `${rounded(value)} ms` : `${value}${unit === undefined ? '' : ` ${unit}`}`;
}
