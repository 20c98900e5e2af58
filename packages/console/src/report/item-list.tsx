import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Copy } from '../look/copy.tsx';
import { defanged } from '../text/index.ts';
import { Scalar } from './scalar.tsx';
import { plainText } from './shape.ts';

const SHOWN = 100;
/** The length from which a list can be filtered. */
const FILTERED = 9;

/** A list of plain values; a short one is a line of text. */
export function ItemList({ path, items }: { path: readonly string[]; items: readonly unknown[] }): JSX.Element {
  const [wanted, setWanted] = useState('');
  const [isWhole, setWhole] = useState(false);
  const found = wanted === '' ? items : items.filter((item) => plainText(item).toLowerCase().includes(wanted.toLowerCase()));
  const shown = isWhole ? found : found.slice(0, SHOWN);
  const isLong = items.length >= FILTERED;
  return (
    <div class="items">
      {isLong && (
        <div class="tools">
          <input
            type="search"
            placeholder={`Filter ${items.length}`}
            aria-label="Filter the list"
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
          <Copy text={() => found.map(plainText).join('\n')}>Copy</Copy>
          <Copy text={() => found.map((item) => defanged(plainText(item))).join('\n')}>Copy defanged</Copy>
        </div>
      )}
      <ul class={isLong ? 'long' : 'short'}>
        {shown.map((item, i) => (
          <li key={i}>
            <Scalar path={path} value={item} />
          </li>
        ))}
      </ul>
      {shown.length < found.length && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {found.length}
        </button>
      )}
    </div>
  );
}
