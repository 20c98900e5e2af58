import type { JSX } from 'preact';
import type { LocationRow } from '../everywhere/rows.ts';
import { Shape } from '../look/state.tsx';
import type { Members } from '../report/shape.ts';
import { ShortText, Text } from '../report/text.tsx';
import { type Agreement, agreementsOf, type Answer } from './agreement.ts';

/** More answers than these have one column together. */
const COLUMNS = 5;
const RECORDS = 4;

/** Which location has which answer, beside what the zone's own servers say. */
export const Matrix = ({ report, rows }: { report: Members; rows: readonly LocationRow[] }): JSX.Element => (
  <section class="view matrices">
    <h3>Agreement</h3>
    {agreementsOf(report).map((agreement, i) => (
      <TypeMatrix key={i} agreement={agreement} rows={rows} />
    ))}
  </section>
);

function TypeMatrix({ agreement, rows }: { agreement: Agreement; rows: readonly LocationRow[] }): JSX.Element {
  const { type, answers, servers, error } = agreement;
  const columns = answers.slice(0, COLUMNS);
  const others = answers.slice(COLUMNS);
  return (
    <div class="scroll" role="region" aria-label={`Agreement on ${type.slice(0, 20)}`} tabIndex={0}>
      <table class="matrix">
        <caption>
          <ShortText text={type} chars={20} />: {inWords(agreement)}
        </caption>
        <thead>
          <tr>
            <th scope="col" class="place">
              Location
            </th>
            {columns.map((answer, i) => (
              <th key={i} scope="col">
                <Heading answer={answer} />
              </th>
            ))}
            {others.length > 0 && <th scope="col">{others.length} other answers</th>}
          </tr>
        </thead>
        <tbody>
          <tr class="zone">
            <th scope="row">
              <strong>The zone’s own servers</strong>
              {error !== '' && (
                <small>
                  <Text text={error} chars={120} />
                </small>
              )}
            </th>
            {columns.map((answer, i) => (
              <Servers key={i} count={answer.servers} of={servers} />
            ))}
            {others.length > 0 && <Servers count={others.reduce((sum, answer) => sum + answer.servers, 0)} of={servers} />}
          </tr>
          {rows.map(({ id, city }) => (
            <tr key={id}>
              <th scope="row">
                <ShortText text={city === '' ? id : city} chars={40} />
              </th>
              {answers.some(({ locations }) => locations.has(id)) ? (
                <>
                  {columns.map((answer, i) => (
                    <Cell key={i} has={answer.locations.has(id)} isZone={answer.servers > 0 || servers === 0} />
                  ))}
                  {others.length > 0 && <Cell has={others.some(({ locations }) => locations.has(id))} isZone={false} />}
                </>
              ) : (
                <td class="empty" colSpan={Math.max(1, columns.length + (others.length > 0 ? 1 : 0))}>
                  no answer
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Heading = ({ answer: { status, records } }: { answer: Answer }): JSX.Element => (
  <ul>
    {(status !== 'NOERROR' || records.length === 0) && (
      <li>
        <ShortText text={status} chars={20} />
        {records.length === 0 && status === 'NOERROR' && ', no record'}
      </li>
    )}
    {records.slice(0, RECORDS).map((record, i) => (
      <li key={i}>
        <ShortText text={record} chars={48} />
      </li>
    ))}
    {records.length > RECORDS && <li>and {records.length - RECORDS} more</li>}
  </ul>
);

const Servers = ({ count, of }: { count: number; of: number }): JSX.Element => (
  <td>{count === 0 ? <span class="empty">–</span> : `${count} of ${of}`}</td>
);

/** An answer that the zone does not give has another shape. */
const Cell = ({ has, isZone }: { has: boolean; isZone: boolean }): JSX.Element => (
  <td>
    {has && (
      <>
        <Shape tone={isZone ? 'good' : 'warn'} />
        <span class="off-screen">{isZone ? 'this answer' : 'this answer, unlike the zone'}</span>
      </>
    )}
  </td>
);

function inWords({ answers }: Agreement): string {
  const answered = answers.reduce((sum, { locations }) => sum + locations.size, 0);
  const most = answers[0]?.locations.size ?? 0;
  if (answered === 0) return 'no location has an answer';
  return most === answered ? `all ${answered} locations agree` : `${most} of ${answered} locations agree`;
}
