import type { JSX } from 'preact';
import { ShortText, Text } from '../report/text.tsx';
import { piecesOf } from '../subject/index.ts';
import { openMenu } from './menu.tsx';

interface Props {
  /** The name of the field that has the text. */
  name: string;
  text: string;
  chars?: number;
}

/** A text of a stranger in which each indicator opens the menu of what can be done with it. */
export function Indicated({ name, text, chars }: Props): JSX.Element {
  const pieces = piecesOf(name, text);
  if (pieces.every(({ indicator }) => indicator === undefined)) return <Text text={text} {...(chars !== undefined && { chars })} />;
  return (
    <span class="text">
      {pieces.map((piece, i) =>
        piece.indicator === undefined ? (
          <Text key={i} text={piece.text} />
        ) : (
          <button
            key={i}
            type="button"
            class="indicator"
            aria-haspopup="dialog"
            onClick={(event) => openMenu(piece.indicator!, event.currentTarget)}
          >
            <ShortText text={piece.text} chars={piece.text.length} />
          </button>
        ),
      )}
    </span>
  );
}
