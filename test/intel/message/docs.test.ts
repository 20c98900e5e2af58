import { readFileSync } from 'node:fs';
import { EmlReport } from '@vedette/contract';
import { expect, it } from 'vitest';
import { PRESSING } from '../../../packages/intel/src/message/urgency-phrases.ts';

const page = readFileSync(new URL('../../../docs/eml-insights.md', import.meta.url), 'utf8');

it('has the rule of every flag', () => {
  const flags = Object.entries(EmlReport.properties.security_details.properties).flatMap(([name, schema]) =>
    'type' in schema && schema.type === 'boolean' ? [name] : [],
  );
  expect(flags).toHaveLength(20);
  // Flags that only repeat another part of the report say so in their descriptions.
  const others = ['has_urls_with_ip_host', 'is_detected_by_server_antispam'];
  expect(flags.filter((name) => !others.includes(name) && !new RegExp(`^\\|[^|]*\`${name}\``, 'm').test(page))).toEqual([]);
});

it('has the number of every limit', () => {
  const limits = EmlReport.properties.limits_reached.items.enum;
  expect(limits.filter((name) => !new RegExp(`^\\| \`${name}\` \\| .*\\d`, 'm').test(page))).toEqual([]);
});

it('has a row for every kind of pressing words, and one for the mark', () => {
  const [, table = ''] = /^## Urgency\n([^]*?)\n## /m.exec(page) ?? [];
  expect(table.match(/^\| (?!Kind|---)/gm)).toHaveLength(Object.keys(PRESSING).length + 1);
});
