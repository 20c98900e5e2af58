import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Shape } from '../look/state.tsx';
import { Indicated } from '../indicators/indicated.tsx';
import type { Headline } from '../report/headline.ts';
import type { Members as Object_ } from '../report/shape.ts';
import { ShortText, Text } from '../report/text.tsx';
import { Members } from '../report/value.tsx';
import { inWords, titleOf } from '../text/index.ts';
import type { Factor, Grounds } from './factors.ts';

/** More of them stand behind a button. */
const SHOWN_FACTORS = 12;

/** The verdict in a word, its score, and what they are made of. */
export function Verdict({
  headline: { tone, word, score },
  grounds,
  why,
}: {
  headline: Headline;
  grounds: Grounds;
  why: string;
}): JSX.Element {
  return (
    <section class={`verdict ${tone}`} aria-label="Verdict">
      <div class="says">
        {word !== '' && (
          <p class="word">
            <Shape tone={tone} />
            <Text text={word} chars={200} />
          </p>
        )}
        {score && (
          <p class="score">
            <span class="label">{score.label}</span> <span class="number">{score.value}</span>
            {score.value <= 100 && (
              <>
                <span class="of"> of 100</span>
                <meter min={0} max={100} value={score.value} aria-label={score.label} class={score.isRisk ? 'risk' : 'trust'} />
              </>
            )}
          </p>
        )}
        {why !== '' && (
          <p class="why">
            <Text text={why} />
          </p>
        )}
      </div>
      {grounds.factors.length > 0 && <Factors factors={grounds.factors} />}
      {grounds.coverage && grounds.coverage.asked > 0 && <Seen coverage={grounds.coverage} />}
    </section>
  );
}

function Factors({ factors }: { factors: readonly Factor[] }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? factors : factors.slice(0, SHOWN_FACTORS);
  return (
    <>
      <ul class="factors">
        {shown.map(({ code, effect, detail, rest }, i) => (
          <li key={i}>
            <span class="number">
              <ShortText text={effect} chars={24} />
            </span>
            <div>
              <strong>
                <Text text={/^[a-z][a-z0-9_]*$/.test(code) ? inWords(code) : code} chars={120} />
              </strong>{' '}
              {detail !== '' && <Indicated name="detail" text={detail} />} <Rest code={code} rest={rest} />
            </div>
          </li>
        ))}
      </ul>
      {shown.length < factors.length && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {factors.length} factors
        </button>
      )}
    </>
  );
}

/** The API's name, and members that no page knows. */
function Rest({ code, rest: { weight, ...others } }: { code: string; rest: Object_ }): JSX.Element {
  return (
    <small>
      <code>
        <Text text={code} chars={120} />
      </code>
      {typeof weight === 'number' && ` · weight ${weight}`}
      {Object.keys(others).length > 0 && <Members path={['factors']} value={others} />}
    </small>
  );
}

const Seen = ({ coverage: { asked, answered, missing } }: { coverage: NonNullable<Grounds['coverage']> }): JSX.Element => (
  <p class="seen">
    {answered} of {asked} source{asked === 1 ? '' : 's'} answered{missing.length === 0 ? '.' : '. Without an answer: '}
    {missing.map(({ name, reason }, i) => (
      <span key={i}>
        {i > 0 && ', '}
        <Text text={/^[a-z]+(?:_[a-z0-9]+)+$/.test(name) ? titleOf(name) : name} chars={100} />
        {reason !== '' && (
          <>
            {' '}
            (<Text text={reason} chars={200} />)
          </>
        )}
      </span>
    ))}
  </p>
);
