import type { JSX } from 'preact';
import { Shape } from '../look/state.tsx';
import type { Members } from '../report/shape.ts';
import { Text } from '../report/text.tsx';
import { type FileNode, filesOf } from './files.ts';

/** The files of a message, with what is in each. */
export function FileTree({ report }: { report: Members }): JSX.Element | null {
  const { files, left } = filesOf(report);
  if (files.length === 0) return null;
  return (
    <section class="view tree">
      <h3>Files in the message</h3>
      <Files files={files} />
      {left > 0 && <p class="muted">And {left} more, in the table below.</p>}
    </section>
  );
}

const Files = ({ files }: { files: readonly FileNode[] }): JSX.Element => (
  <ul>
    {files.map(({ name, notes, tone, within }, i) => (
      <li key={i}>
        <Shape tone={tone} /> <Text text={name} chars={200} /> <small>{notes.join(' · ')}</small>
        {within.length > 0 && <Files files={within} />}
      </li>
    ))}
  </ul>
);
