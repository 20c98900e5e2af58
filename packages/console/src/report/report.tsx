import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Run } from '../api/runs.ts';
import { addressOfRun } from '../ask/address.ts';
import { SaveReport } from '../export/save-report.tsx';
import { Copy } from '../look/copy.tsx';
import { FileTree } from '../evidence/file-tree.tsx';
import { groundsOf } from '../evidence/factors.ts';
import { RequestLanes } from '../evidence/request-lanes.tsx';
import { Verdict } from '../evidence/verdict.tsx';
import { cli, curl, typescript } from './commands.ts';
import { isExplaining, toggleExplanations } from './explain.ts';
import { Findings, findingsOf } from './findings.tsx';
import { type Headline, headlineOf } from './headline.ts';
import type { Members as Object_ } from './shape.ts';
import { Changes } from '../views/fix.tsx';
import { Timeline } from '../views/timeline.tsx';
import { Text } from './text.tsx';
import { ReportOf, UnjudgedOf } from './scalar.tsx';
import { Members } from './value.tsx';

interface Props {
  run: Run;
  report: Object_;
  /** Members that the page shows itself. */
  shown?: readonly string[];
}

/** A report as a page: verdict, findings, then everything else in its order. */
export function Report({ run, report, shown = [] }: Props): JSX.Element {
  const { operation, request } = run;
  const headline = headlineOf(report);
  const findings = findingsOf(report);
  const grounds = headline && groundsOf(report);
  const why = [report['error'], report['dns_error']].find((text): text is string => typeof text === 'string' && text !== '') ?? '';
  return (
    <ReportOf.Provider value={operation.name}>
      {headline && grounds && <Verdict headline={headline} grounds={grounds} why={why} />}
      <Changes report={report} />
      {findings && <Findings report={report} findings={findings} />}
      <Timeline operation={operation.name} report={report} />
      <RequestLanes report={report} />
      <FileTree report={report} />
      <UnjudgedOf report={report}>
        <Members
          path={[]}
          value={grounds?.rest ?? report}
          except={[...shown, ...(findings ? ['issues_found'] : []), ...(headline ? said(headline, report) : [])]}
        />
      </UnjudgedOf>
      <footer class="tools report-tools">
        <button type="button" class="small" aria-pressed={isExplaining.value} onClick={() => void toggleExplanations()}>
          Explain fields
        </button>
        <Copy text={() => JSON.stringify(report, null, 2)}>Copy JSON</Copy>
        <Copy text={() => location.origin + addressOfRun(operation, request, run.sending.key)}>Copy link to this answer</Copy>
        <SaveReport asked={{ key: run.sending.key, operation: operation.name, request, report, at: run.at }} />
        <Copy text={() => curl(location.origin, operation.name, request)}>Copy as curl</Copy>
        <Copy text={() => cli(operation, request)}>Copy as CLI</Copy>
        <Copy text={() => typescript(operation.name, request)}>Copy as TypeScript</Copy>
        <RawJson report={report} />
      </footer>
    </ReportOf.Provider>
  );
}

const RAW_CHARS = 20_000;

/** Written when it is opened: a report may have megabytes. */
function RawJson({ report }: { report: Object_ }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="raw" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Raw JSON</summary>
      {isOpen && (
        <pre tabIndex={0}>
          <Text text={JSON.stringify(report, null, 2)} chars={RAW_CHARS} />
        </pre>
      )}
    </details>
  );
}

/** Members that the verdict has said, word by word. */
const said = (headline: Headline, report: Object_): string[] =>
  headline.names.filter((name) => {
    const value = report[name];
    return (typeof value === 'string' && headline.word.includes(value)) || (typeof value === 'number' && value === headline.score?.value);
  });
