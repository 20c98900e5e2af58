import { Parser } from 'htmlparser2';

/** The size of a picture by its file's header: nothing is decoded. */
export interface ImageSize {
  width: number;
  height: number;
}

/** The root of a drawing stands at its beginning. */
const ROOT_MAX_CHARS = 64 * 1024;
const STEP_CHARS = 4 * 1024;
const LENGTH = /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*(?:px)?\s*$/;

/** The size that a drawing itself asks for: `width` and `height` in pixels, else its `viewBox`. Entities are not expanded. */
export function svgSize(bytes: Buffer): ImageSize | undefined {
  const text = bytes.toString('utf8', 0, ROOT_MAX_CHARS);
  if (!/^[\ufeff\s]*</.test(text)) return undefined;
  const elements: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new Parser(
    { onopentag: (name, attributes) => void elements.push({ name, attributes }) },
    { xmlMode: true, decodeEntities: false },
  );
  for (let at = 0; at < text.length && elements.length === 0; at += STEP_CHARS) parser.write(text.slice(at, at + STEP_CHARS));
  const [root] = elements;
  if (root?.name !== 'svg') return undefined;
  const { width = '', height = '', viewBox = '' } = root.attributes;
  const [, , boxWidth, boxHeight] = viewBox.trim().split(/[\s,]+/, 4);
  return sized(LENGTH.exec(width)?.[1], LENGTH.exec(height)?.[1]) ?? sized(boxWidth, boxHeight);
}

function sized(width: string | undefined, height: string | undefined): ImageSize | undefined {
  const size = { width: Math.round(Number(width)), height: Math.round(Number(height)) };
  return Number.isSafeInteger(size.width) && Number.isSafeInteger(size.height) ? size : undefined;
}
