import type { JSX } from 'preact';
import { Copy } from '../look/copy.tsx';
import type { Members } from '../report/shape.ts';
import { Text } from '../report/text.tsx';
import { failedTests, type Fix as Fix_, fixOf } from './fixes.ts';

/** The change that mends a finding, with a button that copies it. */
export function Fix({ report, finding }: { report: Members; finding: Members }): JSX.Element | null {
  const fix = fixOf(report, finding);
  return fix === undefined ? null : <Line line={fix} />;
}

const Line = ({ line: { does, text, hasGap } }: { line: Fix_ }): JSX.Element => (
  <div class="fix">
    <span class="does">{does}</span>
    <pre tabIndex={0}>
      <Text text={text} />
    </pre>
    <Copy text={() => text}>Copy</Copy>
    {hasGap && <small>Put your own value where … stands.</small>}
  </div>
);

/** The lines to send, by the tests that they pass. */
export function Changes({ report }: { report: Members }): JSX.Element | null {
  const tests = failedTests(report);
  if (tests.length === 0) return null;
  return (
    <section class="findings changes">
      <h3>What to change</h3>
      <ul>
        {tests.map(({ name, message, recommendation, line }, i) => (
          <li key={i}>
            <strong>
              <Text text={name} chars={60} />
            </strong>
            <div>
              <p>
                <Text text={recommendation === '' ? message : recommendation} />
              </p>
              <Line line={line} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
