import { KIND_WORDS } from '../subject/index.ts';
import { csv } from './csv.ts';
import { type Asked, factsOf, isSame } from './facts.ts';
import { markdown } from './markdown.ts';

const HASHES: Readonly<Record<string, string>> = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' };

/** A row of the table of indicators. */
interface IndicatorRow extends Record<string, unknown> {
  indicator: string;
  kind: string;
  /** The verdict on it as a subject; else empty. */
  verdict: string;
  /** The operations whose reports name it. */
  named_by: string;
}

/** The indicators of some answers, each once, with who names it. */
export function indicatorRows(answers: readonly Asked[]): IndicatorRow[] {
  const rows = new Map<string, IndicatorRow>();
  for (const asked of answers) {
    const { subject, indicators } = factsOf(asked, { mentions: true });
    for (const one of indicators) {
      const id = `${one.kind} ${one.value}`;
      const kind = HASHES[one.kind] ?? KIND_WORDS[one.kind as keyof typeof KIND_WORDS];
      const row = rows.get(id) ?? { indicator: one.value, kind, verdict: '', named_by: '' };
      const { verdict } = asked.report;
      if (isSame(subject, one) && typeof verdict === 'string') row.verdict = verdict;
      const names = row.named_by === '' ? [] : row.named_by.split(', ');
      row.named_by = [...new Set([...names, asked.operation])].join(', ');
      rows.set(id, row);
    }
  }
  return [...rows.values()];
}

/** A sitting as files of text. */
export const sittingCsv = (answers: readonly Asked[]): string => csv(['indicator', 'kind', 'verdict', 'named_by'], indicatorRows(answers));

export const sittingMarkdown = (answers: readonly Asked[]): string =>
  answers.map(({ operation, at, report }) => markdown(`${operation}, ${at.toISOString()}`, report)).join('\n');

export const sittingJson = (answers: readonly Asked[]): string =>
  JSON.stringify(
    answers.map(({ operation, request, at, report }) => ({ operation, request, asked_at: at.toISOString(), report })),
    null,
    2,
  );
