import { csv, markdown } from '@vedette/console/export';
import { expect, it } from 'vitest';

it('a table is saved as CSV in which nothing is a formula', () => {
  const rows = [
    { host: 'a.test', ms: -1, text: '=HYPERLINK("http://evil.test")' },
    { host: 'b "c", d', text: '@SUM(A1)\nnext' },
    { host: '-2+3', ms: 4 },
  ];
  expect(csv(['host', 'ms', 'text'], rows)).toBe(
    ['host,ms,text', `a.test,-1,"'=HYPERLINK(""http://evil.test"")"`, `"b ""c"", d",,"'@SUM(A1)\nnext"`, `'-2+3,4,`, ''].join('\r\n'),
  );
});

it('a report is saved as Markdown with headings, lists and tables', () => {
  const report = {
    host: 'a.test',
    elapsed_ms: 5,
    empty: [],
    list: ['x', 'y'],
    rtt: { min: 1 },
    rows: [{ ip: '192.0.2.1', open: true }, { ip: '192.0.2.2' }],
  };
  expect(markdown('Ping', report).split('\n')).toEqual([
    '# Ping',
    '',
    '- **Host**: a.test',
    '- **Elapsed**: 5',
    '- **Empty**: –',
    '- **List**: x, y',
    '',
    '## RTT',
    '',
    '- **Min**: 1',
    '',
    '## Rows',
    '',
    '| IP | Open |',
    '| --- | --- |',
    '| 192.0.2.1 | yes |',
    '| 192.0.2.2 | – |',
    '',
  ]);
});

it('a fact that was not judged is no fact in Markdown; one that another source has found is', () => {
  const report = {
    unknown: ['is_tor', 'is_vpn', 'asn.updated'],
    not_checked: ['hsts', 'is_parked'],
    is_parked: false,
    anonymity: { is_tor: true, is_vpn: false },
    asn: { asn: 'AS64496', updated: '' },
    hsts: { max_age: 0 },
  };
  expect(
    markdown('x', report)
      .split('\n')
      .filter((line) => line.startsWith('- ')),
  ).toEqual([
    '- **Unknown**: Tor, VPN, ASN: Updated',
    '- **Not checked**: HSTS, Parked',
    '- **Parked**: not checked',
    '- **Tor**: yes',
    '- **VPN**: not known',
    '- **ASN**: AS64496',
    '- **Updated**: not known',
    '- **Max age**: not checked',
  ]);
});

it('text of strangers stays text in Markdown', () => {
  const text = '<img src=x>\n# head | [a](javascript:b) ![c](https://d.test) `e` www.f.test \u202E g@h.test';
  const [line, ...rest] = markdown('x', { text }).split('\n').slice(2);
  expect(rest).toEqual(['']);
  expect(line).toBe(
    String.raw`- **Text**: \<img src\=x\> \# head \| \[a\]\(javascript:b\) \!\[c\]\(https\://d.test\) \`e\` www\.f.test U\+202E g\@h.test`,
  );
});

it('a report of any depth and size is saved', () => {
  let deep: unknown = 'x';
  for (let i = 0; i < 50; i++) deep = { a: deep };
  expect(markdown('x', { deep }).length).toBeLessThan(2_000);
  expect(markdown('x', { text: '['.repeat(200_000) }).length).toBeGreaterThan(400_000);
});
