import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { itemInWords } from '../text/index.ts';
import { FILTERED, has, ListTools } from './list-tools.tsx';
import { Scalar } from './scalar.tsx';
import { plainText } from './shape.ts';

const SHOWN = 100;

/** A list of plain values; a short one is a line of text. */
export function ItemList({ path, items: given }: { path: readonly string[]; items: readonly unknown[] }): JSX.Element {
  const items = given.map((item) => itemInWords(path.at(-1) ?? '', item));
  const [wanted, setWanted] = useState('');
  const [isWhole, setWhole] = useState(false);
  const found = wanted === '' ? items : items.filter((item) => has(plainText(item), wanted));
  const shown = isWhole ? found : found.slice(0, SHOWN);
  const isLong = items.length >= FILTERED;
  return (
    <div class="items">
      {isLong && (
        <ListTools
          name="the list"
          count={items.length}
          wanted={wanted}
          setWanted={setWanted}
          cells={() => found.map((item) => [plainText(item)])}
        />
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
