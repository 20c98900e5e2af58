import type { JSX } from 'preact';
import { openMenu } from '../indicators/menu.tsx';
import { partsOf } from '../text/index.ts';
import type { Graph, GraphEdge, GraphNode } from './graph.ts';

const COLUMN_PX = 240;
const NODE_PX = 176;
const ROW_PX = 40;
const LABEL_CHARS = 20;

const xOf = ({ column }: GraphNode): number => 16 + column * COLUMN_PX;
const yOf = ({ row }: GraphNode): number => 24 + row * ROW_PX;

/** A stranger's text where there is little room: its begin and its end, and what is invisible by its name. */
function shortened(text: string): string {
  const whole = partsOf(text.slice(0, 200))
    .map((part) => part.text)
    .join('');
  return whole.length <= LABEL_CHARS ? whole : `${whole.slice(0, LABEL_CHARS - 9)}…${whole.slice(-8)}`;
}

/** The curve from the right border of one node to the left border of the other. */
function curve({ from, to }: GraphEdge): string {
  const [x1, y1, x2, y2] = [xOf(from) + NODE_PX, yOf(from), xOf(to), yOf(to)];
  const bend = Math.max(32, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

interface Props {
  graph: Graph;
  /** Shows the answer to a question. */
  show: (key: string) => void;
}

/** The graph as a picture for eyes and a pointer; the tables below it say the same. */
export function Picture({ graph, show }: Props): JSX.Element {
  const width = 16 + graph.columns * COLUMN_PX;
  const height = 16 + graph.rows * ROW_PX;
  return (
    <div class="scroll" role="region" aria-label="Picture of the sitting" tabIndex={0}>
      <svg class="graph" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {graph.edges.map((edge, i) => (
          <path key={i} class="edge" d={curve(edge)}>
            <title>{edge.operation}</title>
          </path>
        ))}
        {graph.nodes.map((node, i) => (
          <Node key={i} node={node} show={show} />
        ))}
      </svg>
    </div>
  );
}

function Node({ node, show }: { node: GraphNode; show: Props['show'] }): JSX.Element {
  const [x, y] = [xOf(node), yOf(node)];
  const last = node.asked.at(-1);
  return (
    <g
      class={`node ${node.tone} ${last === undefined ? '' : 'asked'}`}
      onClick={(event) => (last === undefined ? node.indicator && openMenu(node.indicator, event.currentTarget) : show(last))}
    >
      <title>{shortened(node.label)}</title>
      <rect x={x} y={y - 14} width={NODE_PX} height={28} rx={last === undefined ? 14 : 3} />
      <text x={x + 10} y={node.operations.length > 0 ? y - 1 : y + 4}>
        {shortened(node.label)}
      </text>
      {node.operations.length > 0 && (
        <text class="operations" x={x + 10} y={y + 10}>
          {shortened(node.operations.join(', '))}
        </text>
      )}
    </g>
  );
}
