import type { JSX } from 'preact';
import { Indicated } from '../indicators/indicated.tsx';
import { Shape } from '../look/state.tsx';
import type { Members } from '../report/shape.ts';
import { chainOf } from './steps.ts';

/** Redirects, certificates, zones and servers, one after another. */
export function Timeline({ operation, report }: { operation: string; report: Members }): JSX.Element | null {
  const chain = chainOf(operation, report);
  if (chain === undefined) return null;
  return (
    <section class="view chain">
      <h3>{chain.heading}</h3>
      <ol class="timeline">
        {chain.steps.map(({ title, notes, tone }, i) => (
          <li key={i}>
            <Shape tone={tone} />
            <div>
              <p>
                <Indicated name="title" text={title} chars={300} />
              </p>
              <p class="muted">
                {notes.map((note, at) => (
                  <span key={at} class="note">
                    <Indicated name="note" text={note} chars={200} />
                  </span>
                ))}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
