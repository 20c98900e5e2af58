import { isEmpty, isObject, isScalar, itemsOf, type Members, plainText } from '../report/shape.ts';
import { itemInWords, partsOf, titleOf, type Unjudged, unjudgedIn } from '../text/index.ts';

/** Deeper values are JSON on one line. */
const MAX_DEPTH = 4;

/** Text of strangers stays text: what Markdown or HTML would read is escaped, links of bare addresses included, and what is invisible is named. */
const escaped = (text: string): string =>
  partsOf(text)
    .map((part) => part.text)
    .join('')
    .replaceAll(/[\r\n\t]+/g, ' ')
    .replaceAll(/[\\`*_{}[\]()<>#+\-!|~&$^=]/g, String.raw`\$&`)
    .replaceAll('://', String.raw`\://`)
    .replaceAll('@', String.raw`\@`)
    .replaceAll(/\bwww\./gi, (www) => www.replace('.', String.raw`\.`))
    .replaceAll(/^(\d+)([.)])(?=\s|$)/g, String.raw`$1\$2`);

const value = (one: unknown): string => (isEmpty(one) ? '–' : escaped(plainText(one)));
const name = (text: string): string => escaped(titleOf(text));

const isPlain = (one: unknown): boolean => isScalar(one) || isEmpty(one) || itemsOf(one)?.every(isScalar) === true;

function table(rows: readonly Members[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(names.map(name)), line(names.map(() => '---')), ...rows.map((row) => line(names.map((one) => value(row[one]))))];
}

/** A part of a report: where it stands there, and which of its values say nothing. */
interface Part {
  path: readonly string[];
  unjudged: Unjudged;
}

function section(one: unknown, { path, unjudged }: Part): string[] {
  const heading = [``, `${'#'.repeat(path.length + 1)} ${name(path.at(-1)!)}`, ''];
  const items = itemsOf(one);
  if (items?.every(isObject)) return [...heading, ...table(items)];
  if (!isObject(one) || path.length >= MAX_DEPTH) return [...heading, value(one)];
  return [...heading, ...members(one, { path, unjudged })];
}

function members(report: Members, { path, unjudged }: Part): string[] {
  const entries = Object.entries(report).filter(([one]) => one !== 'base64_file');
  const said = (key: string, one: unknown): string =>
    unjudged([...path, key], one) ?? value(itemsOf(one)?.map((item) => itemInWords(key, item)) ?? one);
  return [
    ...entries.filter(([, one]) => isPlain(one)).map(([key, one]) => `- **${name(key)}**: ${said(key, one)}`),
    ...entries.filter(([, one]) => !isPlain(one)).flatMap(([key, one]) => section(one, { path: [...path, key], unjudged })),
  ];
}

/** A report as Markdown: plain members as a list, objects below headings, lists of objects as tables. Files are left out. */
export const markdown = (title: string, report: Members): string =>
  [`# ${escaped(title)}`, '', ...members(report, { path: [], unjudged: unjudgedIn(report) }), ''].join('\n');
