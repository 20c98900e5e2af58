import { readFileSync } from 'node:fs';
import { EmlReport } from '@vedette/message/report';
import { expect, it } from 'vitest';
import { ENTRIES_MAX, EXTRACTED_BYTES_MAX, FILES_MAX, RATIO_MAX, SMALL_BYTES } from '../../../packages/message/src/files/archives/quota.ts';
import { UNPACK_CPU_MS } from '../../../packages/message/src/files/archives/unpack-time.ts';
import { RTF_BYTES_MAX } from '../../../packages/message/src/files/documents/rtf.ts';
import { LIST_MAX } from '../../../packages/message/src/indicators/domain-lists.ts';
import { DATA_URLS_MAX } from '../../../packages/message/src/indicators/html/html.ts';
import { CODES_MAX } from '@vedette/message/pictures';
import { IMAGE_PIXELS_MAX, IMAGES_MAX, PIXELS_MAX } from '@vedette/message/indicators';
import { HTML_MAX_CHARS, TEXT_MAX_CHARS } from '@vedette/message/message';
import { HOSTS_MAX } from '../../../packages/operations/src/eml-insights/impersonations.ts';
import * as mime from '../../../packages/message/src/mime/limits.ts';
import { PRESSING } from '../../../packages/message/src/message/words/urgency-phrases.ts';

const page = readFileSync(new URL('../../../docs/eml-insights.md', import.meta.url), 'utf8');

it('has the numbers of every limit', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)];
  const numbers = (text: string) => [...text.matchAll(/\d[\d,.]*(?: MB| megapixels)?/g)].map(([number]) => number);
  const limits: readonly string[] = EmlReport.properties.limits_reached.items.enum;
  const said = rows.flatMap(([, name = '', text = '']) => (limits.includes(name) ? [[name, numbers(text)]] : []));
  const n = (number: number) => number.toLocaleString('en');
  expect(HTML_MAX_CHARS).toBe(3 * TEXT_MAX_CHARS);
  expect(Object.fromEntries(said)).toMatchObject({
    header_fields: expect.arrayContaining([n(mime.FIELDS_MAX), n(mime.HEADER_MAX_BYTES), n(mime.FIELDS_TOTAL_MAX)]),
    addresses: expect.arrayContaining([n(mime.ADDRESSES_MAX)]),
    parts: expect.arrayContaining([n(mime.PARTS_MAX)]),
    depth: expect.arrayContaining([n(mime.DEPTH_MAX), n(mime.NESTED_MESSAGES_MAX)]),
    text: expect.arrayContaining([n(TEXT_MAX_CHARS), n(DATA_URLS_MAX), `${RTF_BYTES_MAX / 1e6} MB`]),
    indicators: expect.arrayContaining([n(LIST_MAX)]),
    files: expect.arrayContaining([n(FILES_MAX)]),
    archive_entries: expect.arrayContaining([n(ENTRIES_MAX)]),
    archive_bytes: expect.arrayContaining([
      `${EXTRACTED_BYTES_MAX / 1024 ** 2} MB`,
      n(RATIO_MAX),
      n(Math.floor(SMALL_BYTES / RATIO_MAX / 1024)),
    ]),
    archive_time: [`${UNPACK_CPU_MS / 1000}`],
    lookalikes: [n(HOSTS_MAX)],
    images: expect.arrayContaining([n(IMAGES_MAX), `${IMAGE_PIXELS_MAX / 1e6} megapixels`, n(PIXELS_MAX / 1e6), n(CODES_MAX)]),
  });
});

it('has a row for every kind of pressing words, and one for the mark', () => {
  const [, table = ''] = /^## Urgency\n([^]*?)\n## /m.exec(page) ?? [];
  expect(table.match(/^\| (?!Kind|---)/gm)).toHaveLength(Object.keys(PRESSING).length + 1);
});
