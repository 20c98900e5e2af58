import { addressOf, addressOfRun, requestOf, runKeyOf } from '@vedette/console/ask';
import { type Asked, indicatorRows, sittingCsv, sittingJson, sittingMarkdown, stix } from '@vedette/console/export';
import { graphOf } from '@vedette/console/investigate';
import { OPERATIONS } from '@vedette/console/operations';
import { expect, it } from 'vitest';

const asked = (key: string, operation: string, request: object, report: object): Asked => ({
  key,
  operation,
  request: request as Asked['request'],
  report: report as Asked['report'],
  at: new Date('2026-11-28T12:00:00Z'),
});

const SPF = asked('k1', 'spf-validator', { host: 'a.test' }, { host: 'a.test', names: ['mail.b.test', 'x.test'], spf_valid: true });
const LOOKUP = asked('k2', 'dns-lookup', { host: 'mail.b.test' }, { host: 'mail.b.test', a: '192.0.2.1', back: 'a.test' });
const RISK = asked('k3', 'ip-reputation', { ip: '192.0.2.1' }, { ip: '192.0.2.1', verdict: 'dangerous' });

it('a chain of questions leads from left to right, and back where an answer names an earlier subject', () => {
  const { nodes, edges, columns, rows, hidden } = graphOf([SPF, LOOKUP, RISK]);
  expect(nodes.map(({ label, column, row, operations, tone }) => [label, column, row, operations.join(), tone])).toEqual([
    ['a.test', 0, 0, 'spf-validator', 'good'],
    ['mail.b.test', 1, 0, 'dns-lookup', 'none'],
    ['x.test', 1, 1, '', 'none'],
    ['192.0.2.1', 2, 0, 'ip-reputation', 'bad'],
  ]);
  expect(edges.map(({ from, to, operation }) => `${from.label} ${operation} ${to.label}`)).toEqual([
    'a.test spf-validator mail.b.test',
    'a.test spf-validator x.test',
    'mail.b.test dns-lookup 192.0.2.1',
    'mail.b.test dns-lookup a.test',
  ]);
  expect([columns, rows, hidden]).toEqual([3, 2, 0]);
});

it('the same sitting is the same picture; the worst verdict of a subject counts, and its last answer is shown', () => {
  expect(graphOf([SPF, LOOKUP])).toEqual(graphOf([SPF, LOOKUP]));
  const [node] = graphOf([RISK, { ...RISK, key: 'k4', report: { ip: '192.0.2.1', verdict: 'clean' } }]).nodes;
  expect(node).toMatchObject({ tone: 'bad', asked: ['k3', 'k4'], operations: ['ip-reputation'] });
});

it('names in sentences and records are indicators of the picture and the table, and not of files for other programs', () => {
  const spf = asked('k', 'spf-validator', { host: 'a.test' }, { host: 'a.test', spf_record: 'v=spf1 include:b.test -all' });
  expect(graphOf([spf]).nodes.map(({ label }) => label)).toEqual(['a.test', 'b.test']);
  expect(indicatorRows([spf])).toHaveLength(2);
  expect(JSON.stringify(stix([spf]))).not.toContain('b.test');
});

it('a file that was asked about is a subject of its own', () => {
  const one = graphOf([
    asked('k1', 'eml-insights', {}, { urls: ['https://a.test/'] }),
    asked('k2', 'eml-insights', {}, { urls: ['https://a.test/'] }),
  ]);
  expect(one.nodes.map(({ label }) => label)).toEqual(['a file, by eml-insights', 'https://a.test/', 'a file, by eml-insights']);
  expect(one.edges).toHaveLength(2);
});

it('has at most 60 nodes, and 8 of an answer; indicators that were asked about are never left out for others', () => {
  const many = Array.from({ length: 500 }, (_, i) => `h${i}.test`);
  const first = asked('k0', 'spf-validator', { host: 'a.test' }, { many: [...many, 'last.test'] });
  const second = asked('k1', 'dns-lookup', { host: 'last.test' }, {});
  const { nodes, hidden } = graphOf([first, second]);
  expect(nodes).toHaveLength(9);
  expect(nodes.map(({ label }) => label)).toContain('last.test');
  expect(hidden).toBe(493);
  const wide = Array.from({ length: 30 }, (_, i) =>
    asked(`k${i}`, 'spf-validator', { host: `s${i}.test` }, { many: many.map((name) => `${i}${name}`) }),
  );
  expect(graphOf(wide).nodes.length).toBeLessThanOrEqual(60 + 30);
});

it('a sitting is saved as a table of indicators, each once with who names it', () => {
  expect(indicatorRows([SPF, LOOKUP, RISK])).toEqual([
    { indicator: 'a.test', kind: 'host name', verdict: '', named_by: 'spf-validator, dns-lookup' },
    { indicator: 'mail.b.test', kind: 'host name', verdict: '', named_by: 'spf-validator, dns-lookup' },
    { indicator: 'x.test', kind: 'host name', verdict: '', named_by: 'spf-validator' },
    { indicator: '192.0.2.1', kind: 'IP address', verdict: 'dangerous', named_by: 'dns-lookup, ip-reputation' },
  ]);
  const hostile = asked('k', 'asn-info', {}, { phone: '+442079460958', url: 'https://a.test/?a=",b' });
  expect(sittingCsv([hostile])).toBe(
    'indicator,kind,verdict,named_by\r\n\'+442079460958,telephone number,,asn-info\r\n"https://a.test/?a=%22,b",URL,,asn-info\r\n',
  );
  expect(JSON.parse(sittingJson([SPF]))).toEqual([
    { operation: 'spf-validator', request: SPF.request, asked_at: '2026-11-28T12:00:00.000Z', report: SPF.report },
  ]);
  expect(sittingMarkdown([SPF, RISK]).match(/^# /gm)).toHaveLength(2);
});

it('the link to an answer is the link to its question, and the key of its run', () => {
  const operation = OPERATIONS.find(({ name }) => name === 'ping-test')!;
  const request = { host: 'a.test', options: { count: 2 } };
  const link = addressOfRun(operation, request, 'k&?=1');
  const search = link.slice(link.indexOf('?'));
  expect(link.startsWith(addressOf(operation, request))).toBe(true);
  expect(runKeyOf(search)).toBe('k&?=1');
  expect(requestOf(operation, search)).toEqual(request);
  expect(runKeyOf('?host=a.test')).toBeUndefined();
  expect(OPERATIONS.filter(({ fields }) => fields.some(({ name }) => name === 'run'))).toEqual([]);
});
