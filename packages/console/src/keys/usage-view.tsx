import type { Usage } from '@vedette/client';
import type { JSX } from 'preact';
import { operationOf } from '../api/operations.ts';
import { Link } from '../look/link.tsx';
import { ShortText } from '../report/text.tsx';
import { visible } from '../text/index.ts';
import { barsOf, credits, number, PERIODS, searchOf, shareOf } from './usage.ts';

interface Props {
  usage: Usage;
  view: { days: number; account: string; key: string };
}

/** Credits by day as bars, by operation and by key as tables. */
export function UsageView({ usage, view }: Props): JSX.Element {
  const { most, bars, summary } = barsOf(usage);
  return (
    <section class="part usage">
      <h2>Usage</h2>
      <nav class="tools" aria-label="Period">
        {PERIODS.map((days) => (
          <Link
            key={days}
            to={`/keys${searchOf({ ...view, days })}`}
            class="choice"
            {...(days === view.days && { 'aria-current': 'page' as const })}
          >
            {`${days} days`}
          </Link>
        ))}
        {view.key !== '' && <Link to={`/keys${searchOf({ ...view, key: '' })}`} class="choice">{`All keys, not only ${view.key}`}</Link>}
      </nav>
      <p class="summary">
        <ShortText text={summary} chars={200} />.
      </p>
      <figure class="chart">
        <figcaption class="muted">Most on a day: {credits(most)}. Days are those of UTC.</figcaption>
        <svg viewBox={`0 0 ${bars.length} 100`} preserveAspectRatio="none" role="img" aria-label={visible(summary)}>
          {bars.map(({ x, y, height, label }) => (
            <rect key={x} x={x + 0.1} y={y} width={0.8} height={height}>
              <title>{visible(label)}</title>
            </rect>
          ))}
        </svg>
        <p class="ends muted">
          <ShortText text={usage.since} />
          <span>
            today, <ShortText text={usage.until} />
          </span>
        </p>
      </figure>
      <details>
        <summary>Days as a table</summary>
        <Charges heading="Day" rows={usage.days.toReversed().map((row) => ({ ...row, id: row.day, name: row.day }))} all={usage.credits} />
      </details>
      {usage.credits > 0 && (
        <div class="beside">
          <div>
            <h3>By operation</h3>
            <Charges
              heading="Operation"
              rows={usage.operations.map((row) => ({ ...row, id: row.operation, name: row.operation }))}
              all={usage.credits}
              to={(id) => (operationOf(id) ? `/ask/${id}` : undefined)}
            />
          </div>
          <div>
            <h3>By key</h3>
            <Charges
              heading="Key"
              rows={usage.keys.map((row) => ({ ...row, name: nameOf(row), note: row.account }))}
              all={usage.credits}
              to={(id) => (id === '' ? undefined : `/keys${searchOf({ ...view, key: id })}`)}
            />
          </div>
        </div>
      )}
    </section>
  );
}

const nameOf = ({ id, name }: Usage['keys'][number]): string =>
  name !== '' ? name : id === '' ? 'before keys were noted' : id === 'bootstrap' ? 'key of the settings' : id;

interface Row {
  id: string;
  name: string;
  note?: string;
  credits: number;
  requests: number;
}

function Charges({
  heading,
  rows,
  all,
  to = () => undefined,
}: {
  heading: string;
  rows: readonly Row[];
  all: number;
  to?: (id: string) => string | undefined;
}) {
  return (
    <div class="scroll" role="region" aria-label={`Credits by ${heading.toLowerCase()}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            <th scope="col" class="right">
              Credits
            </th>
            <th scope="col" class="right">
              Share
            </th>
            <th scope="col" class="right">
              Requests
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, note, ...row }) => (
            <tr key={`${id} ${note ?? ''}`}>
              <th scope="row">
                <Named to={to(id)} name={name} />{' '}
                {note !== undefined && (
                  <small>
                    <ShortText text={note} />
                  </small>
                )}
              </th>
              <td class="right">{number(row.credits)}</td>
              <td class="right">{shareOf(row.credits, all)}</td>
              <td class="right">{number(row.requests)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Named = ({ to, name }: { to: string | undefined; name: string }): JSX.Element =>
  to === undefined ? (
    <ShortText text={name} />
  ) : (
    <Link to={to}>
      <ShortText text={name} />
    </Link>
  );
