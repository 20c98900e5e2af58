import { type ComponentType, Fragment, type JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { csv } from '../export/index.ts';
import { saveText } from '../look/save.ts';
import { titleOf } from '../text/index.ts';
import { has, ListTools } from './list-tools.tsx';
import { Name } from './scalar.tsx';
import { compare, isEmpty, isScalar, itemsOf, type Members as Row, plainText } from './shape.ts';

const SHOWN = 100;
const MAX_COLUMNS = 10;
/** A longer text makes a row taller than its neighbours: it stands below. */
const CELL_CHARS = 160;

const fitsCell = (value: unknown): boolean =>
  isEmpty(value) ||
  (isScalar(value)
    ? plainText(value).length <= CELL_CHARS
    : itemsOf(value)?.every(isScalar) === true && plainText(value).length <= CELL_CHARS);

/** Names that are columns, and names whose values stand below their row. */
function columnsOf(rows: readonly Row[]): { columns: string[]; below: string[] } {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const filled = names.filter((name) => rows.some((row) => !isEmpty(row[name])));
  const fitting = filled.filter((name) => rows.every((row) => fitsCell(row[name])));
  const columns = fitting.slice(0, MAX_COLUMNS);
  return { columns, below: names.filter((name) => !columns.includes(name)) };
}

/** Shows a value of a row; handed in, since it shows tables itself. */
type Shown<T> = ComponentType<{ path: readonly string[]; value: T }>;

interface Props {
  path: readonly string[];
  rows: readonly Row[];
  cell: Shown<unknown>;
  below: Shown<Row>;
}

interface Order {
  column: string;
  isDown: boolean;
}

/** Objects of one kind: sorted by a press on a heading, filtered, copied. Values that fit no column stand below their row. */
export function DataTable({ path, rows, cell, below: Below }: Props): JSX.Element {
  const [order, setOrder] = useState<Order | undefined>(undefined);
  const [wanted, setWanted] = useState('');
  const [isWhole, setWhole] = useState(false);
  const { columns, below } = useMemo(() => columnsOf(rows), [rows]);
  const found = useMemo(() => {
    const matching = wanted === '' ? rows : rows.filter((row) => has(JSON.stringify(row), wanted));
    if (order === undefined) return matching;
    return [...matching].sort((a, b) => compare(a[order.column], b[order.column]) * (order.isDown ? -1 : 1));
  }, [rows, wanted, order]);
  const shown = isWhole ? found : found.slice(0, SHOWN);
  const asText = () => [columns, ...found.map((row) => columns.map((name) => plainText(row[name])))];
  const label = titleOf(path.at(-1) ?? 'rows');
  return (
    <div class="data">
      {rows.length > 1 && (
        <ListTools name={label} count={rows.length} wanted={wanted} setWanted={setWanted} cells={asText}>
          <button type="button" class="small" onClick={() => saveText(csv(columns, found), `${path.at(-1) ?? 'rows'}.csv`, 'text/csv')}>
            Save CSV
          </button>
        </ListTools>
      )}
      {columns.length === 0 ? (
        shown.map((row, i) => <Below key={i} path={path} value={row} />)
      ) : (
        <div class="scroll" role="region" aria-label={label} tabIndex={0}>
          <table>
            <Head columns={columns} order={order} setOrder={setOrder} rows={rows} />
            <tbody>
              {shown.map((row, i) => (
                <Rows key={i} path={path} row={row} columns={columns} below={below} cell={cell} Below={Below} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown.length < found.length && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {found.length} rows
        </button>
      )}
    </div>
  );
}

const isNumeric = (rows: readonly Row[], name: string): boolean => rows.every((row) => typeof row[name] === 'number' || isEmpty(row[name]));

interface HeadProps {
  columns: readonly string[];
  order: Order | undefined;
  setOrder: (order: Order) => void;
  rows: readonly Row[];
}

function Head({ columns, order, setOrder, rows }: HeadProps): JSX.Element {
  const sorting = (name: string) => (order?.column !== name ? 'none' : order.isDown ? 'descending' : 'ascending');
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col" aria-sort={sorting(name)} class={isNumeric(rows, name) ? 'right' : ''}>
            <button type="button" onClick={() => setOrder({ column: name, isDown: order?.column === name && !order.isDown })}>
              <Name name={name} />
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps {
  path: readonly string[];
  row: Row;
  columns: readonly string[];
  /** Names of what stands below the row. */
  below: readonly string[];
  cell: Shown<unknown>;
  Below: Shown<Row>;
}

function Rows({ path, row, columns, below, cell: Cell, Below }: RowProps): JSX.Element {
  const rest = Object.fromEntries(Object.entries(row).filter(([name, value]) => below.includes(name) && !isEmpty(value)));
  return (
    <Fragment>
      <tr>
        {columns.map((name) => (
          <td key={name} class={typeof row[name] === 'number' ? 'right' : ''}>
            <Cell path={[...path, name]} value={row[name]} />
          </td>
        ))}
      </tr>
      {Object.keys(rest).length > 0 && (
        <tr class="below">
          <td colSpan={columns.length}>
            <Below path={path} value={rest} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}
