import type { JSX } from 'preact';
import type { Run } from '../api/runs.ts';
import { rowsOf } from '../everywhere/rows.ts';
import type { Members } from '../report/shape.ts';
import { Matrix } from './matrix.tsx';
import { PathDiagram } from './path-diagram.tsx';

/** The view that all answers make together; it stands below them, so that nothing moves. */
export function FromPlaces({ run, report }: { run: Run; report: Members }): JSX.Element | null {
  const rows = rowsOf(run);
  if (run.operation.name === 'dns-propagation') return <Matrix report={report} rows={rows} />;
  if (run.operation.name === 'traceroute') return <PathDiagram rows={rows} />;
  return null;
}
