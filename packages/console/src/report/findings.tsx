import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Indicated } from '../indicators/indicated.tsx';
import { State } from '../look/state.tsx';
import type { Tone } from '../look/tone.ts';
import { Fix } from '../views/fix.tsx';
import { has, ListTools } from './list-tools.tsx';
import { isObject, type Members as Object_ } from './shape.ts';
import { ShortText, Text } from './text.tsx';
import { Members } from './value.tsx';

interface Finding {
  code: string;
  type: string;
  message: string;
  rest: Object_;
}

const FINDING_TONES: Readonly<Record<string, Tone>> = { error: 'bad', warning: 'warn', information: 'none', info: 'none' };

/** `issues_found`, where each has code, type and message. */
export function findingsOf(report: Object_): Finding[] | undefined {
  const issues = report['issues_found'];
  if (!Array.isArray(issues)) return undefined;
  const findings = (issues as unknown[]).map((issue) => {
    if (!isObject(issue)) return undefined;
    const { code, type, message, ...rest } = issue;
    return typeof code === 'string' && typeof type === 'string' && typeof message === 'string' ? { code, type, message, rest } : undefined;
  });
  return findings.every((finding) => finding !== undefined) ? findings : undefined;
}

const SEVERITY = ['error', 'warning', 'information'];

/** More of them stand behind a button. */
const SHOWN_FINDINGS = 100;

export function Findings({ report, findings }: { report: Object_; findings: readonly Finding[] }): JSX.Element {
  const sorted = [...findings].sort((a, b) => SEVERITY.indexOf(a.type) - SEVERITY.indexOf(b.type));
  const [isWhole, setWhole] = useState(false);
  const [wanted, setWanted] = useState('');
  const found = wanted === '' ? sorted : sorted.filter((finding) => has(JSON.stringify(finding), wanted));
  const shown = isWhole ? found : found.slice(0, SHOWN_FINDINGS);
  const counts = [...Map.groupBy(sorted, ({ type }) => type)].map(([type, { length }]) => `${length} × ${type}`);
  return (
    <section class="findings">
      <h3>
        Findings{' '}
        <small>
          <ShortText text={counts.join(', ')} />
        </small>
      </h3>
      {sorted.length === 0 && <p class="empty">No findings.</p>}
      {sorted.length > 1 && (
        <ListTools
          name="the findings"
          count={sorted.length}
          wanted={wanted}
          setWanted={setWanted}
          cells={() => found.map(({ type, code, message }) => [type, code, message])}
        />
      )}
      <ul>
        {shown.map(({ code, type, message, rest }, i) => (
          <li key={i}>
            <State tone={FINDING_TONES[type] ?? 'none'}>{type}</State>
            <div>
              <p>
                <Indicated name="message" text={message} />
              </p>
              <Fix report={report} finding={{ code, message, ...rest }} />
              <code>
                <Text text={code} />
              </code>
              {Object.keys(rest).length > 0 && <Members path={['issues_found']} value={rest} except={['send']} />}
            </div>
          </li>
        ))}
      </ul>
      {shown.length < found.length && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {found.length} findings
        </button>
      )}
    </section>
  );
}
