import type { JSX } from 'preact';
import { File, isFile } from './file.tsx';
import { ItemList } from './item-list.tsx';
import { isExplaining } from './explain.ts';
import { Explanation, Name, Scalar, useUnjudged } from './scalar.tsx';
import { isEmpty, isObject, isScalar, itemsOf, type Members as Object_, plainText } from './shape.ts';
import { DataTable } from './table.tsx';

interface Props {
  path: readonly string[];
  value: unknown;
}

/** Any value of a report, by its shape alone: a field that no page knows is shown, too. */
function Value({ path, value }: Props): JSX.Element {
  if (isScalar(value)) return <Scalar path={path} value={value} />;
  const items = itemsOf(value);
  if (items?.length === 0) return <span class="empty">none</span>;
  if (items?.every(isObject)) return <DataTable path={path} rows={items} cell={Value} below={Members} />;
  if (items?.every(isScalar)) return <ItemList path={path} items={items} />;
  if (items)
    return (
      <>
        {items.map((item, i) => (
          <Value key={i} path={path} value={item} />
        ))}
      </>
    );
  return <Members path={path} value={value as Object_} />;
}

const WIDE_CHARS = 48;

const isWide = (value: unknown): boolean => plainText(value).length > WIDE_CHARS;

/** An object: plain members in columns, yes and no as a list of marks, the rest below under headings. */
export function Members({
  path,
  value,
  except = [],
}: {
  path: readonly string[];
  value: Object_;
  except?: readonly string[];
}): JSX.Element {
  const unjudged = useUnjudged();
  if (isFile(value) && !except.includes('base64_file'))
    return (
      <File value={value}>
        <Members path={path} value={value} except={['base64_file']} />
      </File>
    );
  const entries = Object.entries(value).filter(([name]) => !except.includes(name));
  if (entries.length === 0) return <span class="empty">none</span>;
  const flags = entries.filter(([, one]) => typeof one === 'boolean');
  const isNothing = ([name, one]: [string, unknown]): boolean =>
    !isExplaining.value && isEmpty(one) && unjudged([...path, name], one) === undefined;
  const nothing = entries.filter(isNothing);
  const listed = entries.filter((entry) => typeof entry[1] !== 'boolean' && (isScalar(entry[1]) || isShort(entry[1])) && !isNothing(entry));
  const parts = entries.filter(([, one]) => !isScalar(one) && !isShort(one));
  return (
    <div class="members">
      {listed.length > 0 && (
        <dl>
          {listed.map(([name, one]) => (
            <div key={name} class={isWide(one) ? 'wide' : ''}>
              <dt>
                <Name name={name} />
              </dt>
              <dd>
                {unjudged([...path, name], one) ?? <Value path={[...path, name]} value={one} />}
                <Explanation path={[...path, name]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {flags.length > 0 && <Flags path={path} flags={flags as [string, boolean][]} />}
      {nothing.length > 0 && <Nothing names={nothing.map(([name]) => name)} />}
      {parts.map(([name, one]) => (
        <section key={name} class="part">
          <h4>
            <Name name={name} />
          </h4>
          <Explanation path={[...path, name]} />
          <Value path={[...path, name]} value={one} />
        </section>
      ))}
    </div>
  );
}

/** The members that hold nothing, in a line. */
const Nothing = ({ names }: { names: readonly string[] }): JSX.Element => (
  <p class="nothing">
    Nothing in:{' '}
    {names.map((name, i) => (
      <span key={name}>
        {i > 0 && ', '}
        <Name name={name} />
      </span>
    ))}
  </p>
);

/** Lists that fit a line. */
const isShort = (value: unknown): boolean => isEmpty(value) || (itemsOf(value)?.every(isScalar) === true && itemsOf(value)!.length <= 4);

/** The members that are true come first. */
function Flags({ path, flags }: { path: readonly string[]; flags: readonly [string, boolean][] }): JSX.Element {
  const unjudged = useUnjudged();
  const sorted = [...flags.filter(([, is]) => is), ...flags.filter(([, is]) => !is)];
  return (
    <ul class="flags">
      {sorted.map(([name, is]) => (
        <li key={name} class={is ? 'yes' : 'no'}>
          <svg class="flag" viewBox="0 0 16 16" aria-hidden="true">
            <circle cx="8" cy="8" r="4.5" />
          </svg>
          <span>
            <Name name={name} />
            <Explanation path={[...path, name]} />
          </span>{' '}
          <span class="word">{unjudged([...path, name], is) ?? (is ? 'yes' : 'no')}</span>
        </li>
      ))}
    </ul>
  );
}
