import type { JSX } from 'preact';
import { saveText } from '../look/save.ts';
import type { Members } from '../report/shape.ts';
import { markdown } from './markdown.ts';

/** Buttons that save a report as files. */
export const SaveReport = ({ operation, report }: { operation: { name: string; summary: string }; report: Members }): JSX.Element => (
  <>
    <button
      type="button"
      class="small"
      onClick={() => saveText(JSON.stringify(report, null, 2), `${operation.name}.json`, 'application/json')}
    >
      Save JSON
    </button>
    <button
      type="button"
      class="small"
      onClick={() => saveText(markdown(operation.summary, report), `${operation.name}.md`, 'text/markdown')}
    >
      Save Markdown
    </button>
  </>
);
