import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { Indicated } from '../indicators/indicated.tsx';
import { titleOf, type Unjudged, unitOf, unjudgedIn } from '../text/index.ts';
import { explanationOf } from './explain.ts';
import { isEmpty, type Members, plainText } from './shape.ts';
import { ShortText } from './text.tsx';

/** The operation whose report is shown, for explanations. */
export const ReportOf = createContext('');

const UnjudgedContext = createContext<Unjudged>(() => undefined);
/** Fields of this report whose values say nothing are shown so below. */
export const UnjudgedOf = ({ report, children }: { report: Members; children: ComponentChildren }): JSX.Element => (
  <UnjudgedContext.Provider value={useMemo(() => unjudgedIn(report), [report])}>{children}</UnjudgedContext.Provider>
);
export const useUnjudged = (): Unjudged => useContext(UnjudgedContext);

interface Props {
  path: readonly string[];
  value: unknown;
}

/** Names of fields as headings; names that strangers chose, such as those of headers, as they are. */
export const Name = ({ name }: { name: string }): JSX.Element =>
  /^[a-z0-9][a-z0-9_]*$/.test(name) ? <>{titleOf(name)}</> : <ShortText text={name} chars={300} />;

export const Explanation = ({ path }: { path: readonly string[] }): JSX.Element | null => {
  const text = explanationOf(useContext(ReportOf), path);
  return text === '' ? null : <small class="explanation">{text}</small>;
};

/** A key or certificate is read by programs: its beginning tells what it is. */
const KEY_CHARS = 80;

/** Seconds since 1970 that stand for a time, and not for none. */
const FIRST_TIME = 100_000_000;

const Time = ({ seconds }: { seconds: number }): JSX.Element => (
  <>
    <span class="number">{seconds}</span>{' '}
    <small class="beside">
      {new Date(Math.min(seconds, 8_640_000_000_000) * 1_000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')}
    </small>
  </>
);

/** One plain value, with its unit. */
export function Scalar({ path, value }: Props): JSX.Element {
  if (isEmpty(value)) return <span class="empty">–</span>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'string' && value.startsWith('-----BEGIN '))
    return <Indicated name={path.at(-1) ?? ''} text={value} chars={KEY_CHARS} />;
  if (typeof value !== 'number') return <Indicated name={path.at(-1) ?? ''} text={plainText(value)} />;
  if (value >= FIRST_TIME && /(?:_ts|_timestamp)$/.test(path.at(-1) ?? '')) return <Time seconds={value} />;
  const unit = unitOf(path.at(-1) ?? '', path.at(-2));
  return <span class="number">{unit === '' ? value : `${value}\u00a0${unit}`}</span>;
}
