import { describe, expect, it } from 'vitest';
import { formatOf, READERS } from '../../../packages/cli/src/passive-dns/formats.ts';
import { type Row } from '../../../packages/cli/src/passive-dns/row.ts';

const SEEN = 1_700_000_000;
const read = (format: keyof typeof READERS, lines: readonly string[], origin?: string) => {
  const reader = READERS[format]({ seen: SEEN, origin });
  return lines.map((line) => reader(line));
};
const row = (name: string, address: string, seen = SEEN): Row => ({ name, address, seen });

it.each<[string, string]>([
  ['{"rrname":"a.test"}', 'cof'],
  ['$ORIGIN example.org.', 'zone'],
  ['; a zone', 'zone'],
  ['example.com.\t172800\tin\tns\tns1.example.com.', 'zone'],
  ['www 3600 IN A 192.0.2.1', 'zone'],
  ['name,ip,last_seen', 'csv'],
  ['www.example.org,192.0.2.1', 'csv'],
  ['192.0.2.1\twww.example.org', 'csv'],
])('%j begins a %s', (line, format) => {
  expect(formatOf(line)).toBe(format);
});

describe('the Common Output Format', () => {
  it.each<[string, readonly Row[] | undefined]>([
    [
      '{"rrname":"www.example.org.","rrtype":"A","rdata":"192.0.2.1","time_first":1,"time_last":1690000000,"count":2}',
      [row('www.example.org.', '192.0.2.1', 1_690_000_000)],
    ],
    [
      '{"rrname":"a.test","rrtype":"a","rdata":["192.0.2.1","192.0.2.2"],"time_last":"1690000000"}',
      [row('a.test', '192.0.2.1', 1_690_000_000), row('a.test', '192.0.2.2', 1_690_000_000)],
    ],
    ['{"rrname":"a.test","rrtype":1,"rdata":"192.0.2.1","zone_time_last":1690000000}', [row('a.test', '192.0.2.1', 1_690_000_000)]],
    [
      '{"rrname":"a.test","rrtype":"A","rdata":"192.0.2.1","time_last":"2023-07-22T04:26:40Z"}',
      [row('a.test', '192.0.2.1', 1_690_000_000)],
    ],
    ['{"rrname":"a.test","rrtype":"A","rdata":"192.0.2.1","time_last":1690000000123}', [row('a.test', '192.0.2.1', 1_690_000_000)]],
    ['{"rrname":"a.test","rrtype":"AAAA","rdata":"2001:db8::1","time_last":1690000000}', []],
    ['{"rrname":"a.test","rrtype":"NS","rdata":"ns.test","time_last":1690000000}', []],
    ['', []],
    ['{"rrname":"a.test","rrtype":"A","rdata":"192.0.2.1"}', undefined],
    ['{"rrname":"a.test","rrtype":"A","rdata":"192.0.2.1","time_last":"soon"}', undefined],
    ['{"rrname":"a.test","rrtype":"A","rdata":"192.0.2.1","time_last":-1}', undefined],
    ['{"rrname":"a.test","rrtype":"A","rdata":"192.0.2.256","time_last":1690000000}', undefined],
    ['{"rrname":"a.test","rrtype":"A","rdata":["192.0.2.1",2],"time_last":1690000000}', undefined],
    ['{"rrtype":"A","rdata":"192.0.2.1","time_last":1690000000}', undefined],
    ['{"rrname":"a.test"', undefined],
    ['null', undefined],
    ['[]', undefined],
    ['"a"', undefined],
  ])('%s', (line, rows) => {
    expect(read('cof', [line])).toEqual([rows]);
  });
});

describe('CSV', () => {
  it('has columns by the names in its head', () => {
    expect(
      read('csv', [
        '"IP";Domain;Last_Seen;rrtype',
        '192.0.2.1;a.test;2023-07-22;A',
        '192.0.2.1;b.test;;A',
        '2001:db8::1;b.test;;AAAA',
        ';;;',
        '# made by hand',
        '',
      ]),
    ).toEqual([[], [row('a.test', '192.0.2.1', 1_689_984_000)], [row('b.test', '192.0.2.1')], [], undefined, [], []]);
  });

  it('has names and addresses in either order without a head, then a time', () => {
    expect(read('csv', ['a.test,192.0.2.1,1690000000', 'b.test,192.0.2.2', 'c.test,x', '"d,.test","192.0.2.3"'])).toEqual([
      [row('a.test', '192.0.2.1', 1_690_000_000)],
      [row('b.test', '192.0.2.2')],
      undefined,
      [row('d,.test', '192.0.2.3')],
    ]);
    expect(read('csv', ['192.0.2.1\ta.test'])).toEqual([[row('a.test', '192.0.2.1')]]);
    expect(read('csv', ['nothing of the kind'])).toEqual([undefined]);
  });
});

describe('a zone file', () => {
  it('has owners, origins, classes and TTLs as RFC 1035 §5 writes them', () => {
    const lines: [string, readonly Row[] | undefined][] = [
      ['$ORIGIN example.org.', []],
      ['$TTL 1h', []],
      ['@ IN SOA ns1 hostmaster (', []],
      ['  1 ; serial', []],
      ['  A 192.0.2.99 300 300 )', []],
      ['@ 3600 IN A 192.0.2.1 ; the apex', [row('example.org', '192.0.2.1')]],
      ['  IN 3600 A 192.0.2.2', [row('example.org', '192.0.2.2')]],
      ['www A 192.0.2.3', [row('www.example.org', '192.0.2.3')]],
      ['\tA 192.0.2.4', [row('www.example.org', '192.0.2.4')]],
      ['other.test. a 192.0.2.5', [row('other.test', '192.0.2.5')]],
      ['txt TXT "a ; b ( c"', []],
      ['mail MX 10 mail', []],
      ['$ORIGIN sub', []],
      ['host A 192.0.2.6', [row('host.sub.example.org', '192.0.2.6')]],
      ['bad A 192.0.2', undefined],
      ['bad', undefined],
      ['$INCLUDE other.zone', undefined],
      ['', []],
    ];
    expect(
      read(
        'zone',
        lines.map(([line]) => line),
      ),
    ).toEqual(lines.map(([, rows]) => rows));
  });

  it('begins where it is told to, and knows of no relative name otherwise', () => {
    expect(read('zone', ['www A 192.0.2.1', 'ns1.a.com. 172800 in a 192.0.2.2'])).toEqual([undefined, [row('ns1.a.com', '192.0.2.2')]]);
    expect(read('zone', ['www A 192.0.2.1'], 'example.org.')).toEqual([[row('www.example.org', '192.0.2.1')]]);
  });
});
