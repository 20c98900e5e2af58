import type { JSX } from 'preact';
import { outputOf } from '@vedette/client/entries';
import { rounded } from '../everywhere/columns.ts';
import type { LocationRow } from '../everywhere/rows.ts';
import { State } from '../look/state.tsx';
import { ShortText } from '../report/text.tsx';
import { endInWords, type Hop, layOut, type Node, type Path, pathOf } from './paths.ts';

const ROW = 44;
const COLUMN = 112;
const LEFT = 12;

const xOf = ({ column }: Node): number => LEFT + (column + 0.5) * COLUMN;
const yOf = (row: number): number => (row + 0.5) * ROW;

/** The paths of all locations to one target, joined where they meet. */
export function PathDiagram({ rows }: { rows: readonly LocationRow[] }): JSX.Element {
  const measured = rows.flatMap((row) => {
    const path = row.entry && row.state !== 'failed' ? pathOf(row.id, outputOf(row.entry)) : undefined;
    return path && path.hops.length > 0 ? [{ row, path }] : [];
  });
  const { columns, nodes, lines } = layOut(measured.map(({ path }) => path));
  const width = 2 * LEFT + columns * COLUMN;
  const height = measured.length * ROW;
  return (
    <section class="view paths">
      <h3>Paths</h3>
      {measured.length === 0 && <p class="empty">No location measured a path.</p>}
      <div class="routes">
        <ol>
          {measured.map(({ row, path }) => (
            <li key={row.id}>
              <strong>
                <ShortText text={row.city === '' ? row.id : row.city} chars={24} />
              </strong>
              <State tone={path.isReached ? 'good' : 'warn'}>{endInWords(path)}</State>
              <span class="off-screen">
                <ShortText text={inWords(path)} chars={4000} />
              </span>
            </li>
          ))}
        </ol>
        <div class="scroll" role="region" aria-label="Picture of the paths" tabIndex={0}>
          <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
            {lines.map((line, row) => (
              <path key={row} class="route" d={curve(line, row)} />
            ))}
            {nodes.map((node, i) => (
              <Mark key={i} node={node} />
            ))}
          </svg>
        </div>
      </div>
      <p class="muted">A hollow mark did not answer. Several locations pass a square mark. A number below is the mean round-trip time.</p>
    </section>
  );
}

/** The line from the left border, at the location's row, through its hops. */
function curve(line: readonly Node[], row: number): string {
  let [x, y] = [0, yOf(row)];
  let d = `M${x} ${y}`;
  for (const node of line) {
    const [toX, toY] = [xOf(node), yOf(node.row)];
    // Level up to the column before, so that a late start does not cross others slantwise.
    const from = Math.max(x, toX - COLUMN);
    const middle = (from + toX) / 2;
    d += `H${from}C${middle} ${y} ${middle} ${toY} ${toX} ${toY}`;
    [x, y] = [toX, toY];
  }
  return d;
}

function Mark({ node }: { node: Node }): JSX.Element {
  const { hop, paths } = node;
  const [x, y] = [xOf(node), yOf(node.row)];
  const isShared = paths.length > 1;
  return (
    <g class={`hop ${hop.isSilent ? 'silent' : hop.loss > 0 ? 'losses' : ''}`}>
      <title>{isShared ? `${paths.length} locations: ${hop.address}` : hopInWords(hop)}</title>
      {isShared ? <rect x={x - 6} y={y - 6} width="12" height="12" /> : <circle cx={x} cy={y} r="5" />}
      {hop.address !== '' && (
        <text x={x} y={y - 9}>
          {shortened(hop.address)}
        </text>
      )}
      {!isShared && !hop.isSilent && (
        <text class="ms" x={x} y={y + 17}>
          {rounded(hop.ms)} ms{hop.loss > 0 && `, ${Math.round(hop.loss)} % lost`}
        </text>
      )}
      {isShared && (
        <text class="ms" x={x} y={y + 17}>
          {paths.length} locations
        </text>
      )}
    </g>
  );
}

/** An address fits its column; other texts are not drawn. */
function shortened(address: string): string {
  if (!/^[\da-f.:]+$/i.test(address)) return '?';
  return address.length > 16 ? `${address.slice(0, 8)}…${address.slice(-7)}` : address;
}

function hopInWords({ address, isSilent, ms, loss }: Hop): string {
  if (isSilent) return 'no answer';
  return `${address === '' ? 'own network' : address} ${rounded(ms)} ms${loss > 0 ? `, ${Math.round(loss)} % lost` : ''}`;
}

const inWords = ({ hops }: Path): string => hops.map((hop, i) => `${i + 1}: ${hopInWords(hop)}`).join('; ');
