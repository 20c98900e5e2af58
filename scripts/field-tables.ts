import { readFileSync } from 'node:fs';
import { EML_FIELDS } from '@vedette/message/report';
import type { Field } from '@vedette/contract';
import { DNSSEC_REASONS } from '@vedette/mail/dnssec';
import { ADDRESS_USES, ANONYMITY, LISTS_OF } from '@vedette/intel/addresses';
import { HOST_FIELDS } from '@vedette/intel/names';
import { REDIRECT_FIELDS } from '@vedette/web/redirects';
import { FINDINGS as HEADER_FINDINGS, RESULTS, TESTS } from '@vedette/web/headers';
import { SITE_CHECKS } from '@vedette/web/site';
import { DOMAIN_AGE_FIELDS } from '../packages/operations/src/domain-age/index.ts';
import { DNSSEC_FIELDS } from '../packages/operations/src/dnssec-status/index.ts';
import { EMAIL_FIELDS } from '../packages/operations/src/email-verify/schema.ts';
import { ADDRESS_SERVICES } from '../packages/operations/src/ip-reputation/schema.ts';
import { PARKED_FIELDS } from '../packages/operations/src/parked-domain/schema.ts';
import { SITE_FACTS, SITE_FIELDS } from '../packages/operations/src/site-trust/schema.ts';
import { FINDINGS } from '../packages/operations/src/tls-check/findings.ts';
import { TOR_FIELDS } from '../packages/operations/src/tor-test/schema.ts';
import { URL_CHECKS } from '../packages/operations/src/url-reputation/checks.ts';
import { FINAL_FIELDS } from '../packages/operations/src/url-status/schema.ts';

/** The fields of each page in docs/ that has tables of them. */
export const FIELD_PAGES: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  'docs/dnssec-status.md': noted(DNSSEC_FIELDS),
  'docs/domain-age.md': DOMAIN_AGE_FIELDS,
  'docs/domain-reputation.md': HOST_FIELDS,
  'docs/email-verify.md': noted(EMAIL_FIELDS),
  'docs/eml-insights.md': EML_FIELDS,
  'docs/ip-reputation.md': withLists({ ...ADDRESS_SERVICES, ...ADDRESS_USES, ...ANONYMITY }),
  'docs/parked-domain.md': PARKED_FIELDS,
  'docs/site-trust.md': { ...SITE_CHECKS, ...SITE_FACTS, ...SITE_FIELDS },
  'docs/tor-test.md': TOR_FIELDS,
  'docs/url-reputation.md': URL_CHECKS,
  'docs/url-status.md': { ...REDIRECT_FIELDS, ...FINAL_FIELDS },
};

/** The fields with something to add to their sentence, for pages that have only these. */
function noted(rows: Readonly<Record<string, Field>>): Record<string, Field> {
  return Object.fromEntries(Object.entries(rows).filter(([, { note }]) => note !== ''));
}

/** Adds the lists that decide a field of an address. */
function withLists(rows: Readonly<Record<string, Field>>): Record<string, Field> {
  const lists: Readonly<Record<string, readonly string[]>> = { ...LISTS_OF, related_service_name: LISTS_OF.related_service };
  return Object.fromEntries(
    Object.entries(rows).map(([name, { schema, note }]) => {
      const named = lists[name]?.map((list) => `\`${list}\``).join(', ');
      return [name, { schema, note: [note, ...(named === undefined ? [] : [`Lists: ${named}`])].filter(Boolean).join('. ') }];
    }),
  );
}

/** What stands between the marks of a table of fields. */
export const FIELD_TABLE = /(?<=^<!-- fields -->\n)[^]*?(?=^<!-- end of fields -->$)/gm;

/** Writes the tables of a page anew. The page says by its first column which fields stand in which table; their text is that of their rows. */
export function fieldPage(path: string, rows: Readonly<Record<string, Field>>): string {
  const listed: string[] = [];
  const page = readFileSync(path, 'utf8').replaceAll(FIELD_TABLE, (table) => {
    const names = Array.from(table.matchAll(/^\| `(\w+)` \|/gm), ([, name]) => name!);
    listed.push(...names);
    const lines = names.map((name) => {
      const { schema, note } = rows[name] ?? unknown(name, path);
      return `| \`${name}\` | ${cell((schema as { description?: string }).description ?? '')} | ${cell(note)} |\n`;
    });
    return ['| Field | Meaning | Rule and examples |\n|---|---|---|\n', ...lines].join('');
  });
  const missing = Object.keys(rows).filter((name) => listed.filter((other) => other === name).length !== 1);
  if (missing.length > 0)
    throw new Error(`${path} must list once in its tables: ${missing.join(', ')} (a line such as "| \`name\` |" will do)`);
  return page;
}

/** The page of dnssec-status, with the table of reasons. */
export const withReasons = (page: string): string =>
  page.replace(/(?<=^<!-- reasons -->\n)[^]*?(?=^<!-- end of reasons -->$)/m, () =>
    [
      '| Code | Status | When | RFC | What to do |\n|---|---|---|---|---|\n',
      ...Object.entries(DNSSEC_REASONS).map(
        ([code, { status, when, rfc, fix }]) => `| \`${code}\` | ${status} | ${when} | ${rfc} | ${fix} |\n`,
      ),
    ].join(''),
  );

/** The page of tls-check's findings, with their table. */
export const withFindings = (page: string): string =>
  page.replace(/(?<=^<!-- findings -->\n)[^]*?(?=^<!-- end of findings -->$)/m, () =>
    [
      '| Code | Type | Best grade | Finding |\n|---|---|---|---|\n',
      ...Object.entries<{ type: string; cap?: string; message: string }>(FINDINGS).map(
        ([code, { type, cap = '–', message }]) => `| \`${code}\` | ${type} | ${cap} | ${cell(message)} |\n`,
      ),
    ].join(''),
  );

function unknown(name: string, path: string): never {
  throw new Error(`${path} lists \`${name}\`, which no row defines`);
}

export const cell = (content: string): string => content.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The page of security-headers, with the tables of results and of the lines that servers want. */
export const withHeaderResults = (page: string): string =>
  page
    .replace(/(?<=^<!-- results -->\n)[^]*?(?=^<!-- end of results -->$)/m, () => TESTS.map(resultTable).join('\n'))
    .replace(/(?<=^<!-- findings -->\n)[^]*?(?=^<!-- end of findings -->$)/m, () => findingTable())
    .replace(/(?<=^<!-- lines -->\n)[^]*?(?=^<!-- end of lines -->$)/m, () => lineTable());

function resultTable(test: (typeof TESTS)[number]): string {
  const rows = Object.entries(RESULTS)
    .filter(([, row]) => row.test === test)
    .map(
      ([result, { modifier, meaning, remedy, send }]) =>
        `| \`${result}\` | ${modifier} | ${cell(meaning)} | ${cell([remedy, send === '' ? '' : `\`${send}\``].filter(Boolean).join(': '))} |\n`,
    );
  return [`### ${test}\n\n`, '| Result | Points | Meaning | What to change |\n|---|---|---|---|\n', ...rows].join('');
}

const findingTable = (): string =>
  [
    '| Code | Type | Meaning | What to change |\n|---|---|---|---|\n',
    ...Object.entries(HEADER_FINDINGS).map(
      ([code, { type, meaning, remedy, send }]) =>
        `| \`${code}\` | ${type} | ${cell(meaning)} | ${cell([remedy, send === '' ? '' : `\`${send}\``].filter(Boolean).join(': '))} |\n`,
    ),
  ].join('');

/** Puts a value into quotes as all three servers read them. */
const inQuotes = (value: string): string => `"${value.replaceAll('"', String.raw`\"`)}"`;

function lineTable(): string {
  const lines = [...new Set([...Object.values(RESULTS), ...Object.values(HEADER_FINDINGS)].map(({ send }) => send))].filter(
    (line) => line !== '' && !line.startsWith('Set-Cookie'),
  );
  const rows = lines.map((line) => {
    const at = line.indexOf(': ');
    const [name, value] = [line.slice(0, at), line.slice(at + 2)];
    return `| \`${line}\` | \`add_header ${name} ${inQuotes(value)} always;\` | \`Header always set ${name} ${inQuotes(value)}\` | \`header ${name} ${inQuotes(value)}\` |\n`;
  });
  return ['| Line | nginx | Apache | Caddy |\n|---|---|---|---|\n', ...rows].join('');
}
