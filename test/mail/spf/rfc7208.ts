import type { SpfResult } from '@vedette/mail/spf';
import type { FakeZone } from '../../intel/fake-resolver.ts';

export const IP = '192.0.2.3';

/** What check_host() says of `ip` (IP unless given) and `domain` (a.test unless given). */
export interface Row {
  rule: string;
  zone: FakeZone;
  result: SpfResult;
  ip?: string;
  domain?: string;
  sender?: string;
  helo?: string;
}
export const spf = (...TXT: string[]) => ({ TXT });
const chain = (length: number): FakeZone =>
  Object.fromEntries(
    Array.from({ length }, (_, i) => [
      i === 0 ? 'a.test' : `i${i}.test`,
      spf(i === length - 1 ? 'v=spf1 +all' : `v=spf1 include:i${i + 1}.test -all`),
    ]),
  );
export const hosts = (count: number, address: (i: number) => string): FakeZone =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}.test`, { A: [address(i)] }]));
export const exchanges = (count: number) => Array.from({ length: count }, (_, i) => ({ preference: i, exchange: `m${i}.test` }));

/** One row per rule of RFC 7208, named by section. */
export const ROWS: Row[] = [
  { rule: '2.6.1 none: no record', zone: { 'a.test': {} }, result: 'none' },
  { rule: '2.6.1 none: no such name', zone: {}, result: 'none' },
  { rule: '3.1 the record is asked for as TXT, not as type SPF', zone: { 'a.test': { TXT: ['unrelated'] } }, result: 'none' },
  { rule: '3.3 strings are joined without a space', zone: { 'a.test': { TXT: [['v=spf1 ip4:192.', '0.2.3 -all']] } }, result: 'pass' },
  { rule: '4.3 a single label is none', zone: { test: spf('v=spf1 +all') }, domain: 'test', result: 'none' },
  { rule: '4.3 an empty label is none', zone: {}, domain: 'a..test', result: 'none' },
  { rule: '4.3 a label of 64 octets is none', zone: {}, domain: `${'x'.repeat(64)}.test`, result: 'none' },
  { rule: '4.4 a timeout is temperror', zone: { 'a.test': 'TIMEOUT' }, result: 'temperror' },
  { rule: '4.4 SERVFAIL is temperror', zone: { 'a.test': 'SERVFAIL' }, result: 'temperror' },
  { rule: '4.5 the version ends with a space or the record', zone: { 'a.test': spf('v=spf10 +all') }, result: 'none' },
  { rule: '4.5 the version alone is a record', zone: { 'a.test': spf('v=spf1') }, result: 'neutral' },
  { rule: '4.5 nothing may stand before the version', zone: { 'a.test': spf(' v=spf1 +all') }, result: 'none' },
  { rule: '4.5 the version is case-insensitive', zone: { 'a.test': spf('V=sPf1 +all') }, result: 'pass' },
  { rule: '4.5 two records are permerror', zone: { 'a.test': spf('v=spf1 +all', 'v=spf1 -all') }, result: 'permerror' },
  { rule: '4.5 other TXT records do not count', zone: { 'a.test': spf('x=1', 'v=spf1 +all', 'spf2.0/pra -all') }, result: 'pass' },
  { rule: '4.6 a syntax error anywhere is permerror', zone: { 'a.test': spf('v=spf1 +all foo') }, result: 'permerror' },
  { rule: '4.6.1 terms are case-insensitive', zone: { 'a.test': spf('v=spf1 IP4:192.0.2.3 -ALL') }, result: 'pass' },
  { rule: '4.6.1 several spaces are one', zone: { 'a.test': spf('v=spf1   ip4:192.0.2.3   -all  ') }, result: 'pass' },
  { rule: '4.6.1 a tab is no space', zone: { 'a.test': spf('v=spf1 ip4:192.0.2.3\t-all') }, result: 'permerror' },
  { rule: '4.6.1 non-ASCII is permerror', zone: { 'a.test': spf('v=spf1 a:bücher.test +all') }, result: 'permerror' },
  { rule: '4.6.1 a modifier has no qualifier', zone: { 'a.test': spf('v=spf1 -redirect=b.test') }, result: 'permerror' },
  { rule: '4.6.2 - is fail', zone: { 'a.test': spf('v=spf1 -ip4:192.0.2.3 +all') }, result: 'fail' },
  { rule: '4.6.2 ~ is softfail', zone: { 'a.test': spf('v=spf1 ~all') }, result: 'softfail' },
  { rule: '4.6.2 ? is neutral', zone: { 'a.test': spf('v=spf1 ?all') }, result: 'neutral' },
  { rule: '4.6.4 ten terms that ask are allowed', zone: chain(11), result: 'pass' },
  { rule: '4.6.4 eleven are permerror', zone: chain(12), result: 'permerror' },
  {
    rule: '4.6.4 a match before the eleventh counts',
    zone: { 'a.test': spf(`v=spf1 a:h.test ${'include:b.test '.repeat(11)}-all`), 'h.test': { A: [IP] }, 'b.test': spf('v=spf1 -all') },
    result: 'pass',
  },
  { rule: '4.6.4 an include loop ends in permerror', zone: { 'a.test': spf('v=spf1 include:a.test -all') }, result: 'permerror' },
  { rule: '4.6.4 two void look-ups are allowed', zone: { 'a.test': spf('v=spf1 a:x1.test mx:x2.test +all') }, result: 'pass' },
  {
    rule: '4.6.4 three void look-ups are permerror',
    zone: { 'a.test': spf('v=spf1 a:x1.test mx:x2.test exists:x3.test +all') },
    result: 'permerror',
  },
  {
    rule: '4.6.4 exchanges without addresses are not void',
    zone: { 'a.test': { ...spf('v=spf1 mx +all'), MX: exchanges(4) } },
    result: 'pass',
  },
  {
    rule: '4.6.4 ten exchanges are asked',
    zone: { 'a.test': { ...spf('v=spf1 mx -all'), MX: exchanges(10) }, ...hosts(10, (i) => (i === 9 ? IP : '198.51.100.1')) },
    result: 'pass',
  },
  {
    rule: '4.6.4 eleven exchanges are permerror',
    zone: { 'a.test': { ...spf('v=spf1 mx -all'), MX: exchanges(11) }, ...hosts(11, (i) => (i === 10 ? IP : '198.51.100.1')) },
    result: 'permerror',
  },
  { rule: '4.7 no match is neutral', zone: { 'a.test': spf('v=spf1 ip4:198.51.100.1') }, result: 'neutral' },
  {
    rule: '4.8 a name that cannot be asked does not match',
    zone: { 'a.test': spf('v=spf1 a:%{l}%{l}%{l}.test +all') },
    sender: `${'x'.repeat(30)}@a.test`,
    result: 'pass',
  },
  { rule: '4.8 a trailing dot is dropped', zone: { 'a.test': spf('v=spf1 a:h.test. -all'), 'h.test': { A: [IP] } }, result: 'pass' },
  { rule: '5 an IPv4-mapped client is IPv4', zone: { 'a.test': spf('v=spf1 ip4:192.0.2.3 -all') }, ip: '::ffff:192.0.2.3', result: 'pass' },
  { rule: '5.1 all takes no value', zone: { 'a.test': spf('v=spf1 all:b.test') }, result: 'permerror' },
  { rule: '5.1 nothing after all counts', zone: { 'a.test': spf('v=spf1 -all ip4:192.0.2.3') }, result: 'fail' },
  {
    rule: '5.2 include matches on pass',
    zone: { 'a.test': spf('v=spf1 ~include:b.test -all'), 'b.test': spf('v=spf1 +all') },
    result: 'softfail',
  },
  {
    rule: '5.2 fail, softfail and neutral of an include do not match',
    zone: {
      'a.test': spf('v=spf1 include:b.test include:c.test include:d.test +all'),
      'b.test': spf('v=spf1 -all'),
      'c.test': spf('v=spf1 ~all'),
      'd.test': spf('v=spf1 ?all'),
    },
    result: 'pass',
  },
  {
    rule: '5.2 temperror of an include is temperror',
    zone: { 'a.test': spf('v=spf1 include:b.test +all'), 'b.test': 'SERVFAIL' },
    result: 'temperror',
  },
  {
    rule: '5.2 permerror of an include is permerror',
    zone: { 'a.test': spf('v=spf1 include:b.test +all'), 'b.test': spf('v=spf1 foo') },
    result: 'permerror',
  },
  { rule: '5.2 none of an include is permerror', zone: { 'a.test': spf('v=spf1 include:b.test +all') }, result: 'permerror' },
  { rule: '5.2 include needs a domain', zone: { 'a.test': spf('v=spf1 include +all') }, result: 'permerror' },
  { rule: '5.3 a of the domain itself', zone: { 'a.test': { ...spf('v=spf1 a -all'), A: [IP] } }, result: 'pass' },
  { rule: '5.3 a with a prefix', zone: { 'a.test': spf('v=spf1 a:h.test/24 -all'), 'h.test': { A: ['192.0.2.200'] } }, result: 'pass' },
  {
    rule: '5.3 a with a prefix for each family',
    zone: { 'a.test': spf('v=spf1 a:h.test/8//64 -all'), 'h.test': { AAAA: ['2001:db8::1'] } },
    ip: '2001:db8::ffff',
    result: 'pass',
  },
  {
    rule: '5.3 the IPv4 prefix is not for IPv6',
    zone: { 'a.test': spf('v=spf1 a:h.test/8 -all'), 'h.test': { AAAA: ['2001:db8::1'] } },
    ip: '2001:db8::ffff',
    result: 'fail',
  },
  {
    rule: '5.3 an IPv6 client does not match an A record',
    zone: { 'a.test': spf('v=spf1 a:h.test//0 -all'), 'h.test': { A: [IP] } },
    ip: '2001:db8::1',
    result: 'fail',
  },
  {
    rule: '5.3 aliases are followed',
    zone: { 'a.test': spf('v=spf1 a:h.test -all'), 'h.test': { CNAME: ['k.test'] }, 'k.test': { A: [IP] } },
    result: 'pass',
  },
  { rule: '5.3 a prefix above 32 is permerror', zone: { 'a.test': spf('v=spf1 a/33 +all') }, result: 'permerror' },
  { rule: '5.3 a prefix with a leading zero is permerror', zone: { 'a.test': spf('v=spf1 a/024 +all') }, result: 'permerror' },
  { rule: '5.3 a failing look-up is temperror', zone: { 'a.test': spf('v=spf1 a:h.test +all'), 'h.test': 'TIMEOUT' }, result: 'temperror' },
  {
    rule: '5.4 mx',
    zone: { 'a.test': { ...spf('v=spf1 mx/24 -all'), MX: exchanges(2) }, ...hosts(2, (i) => `192.0.${i + 1}.9`) },
    result: 'pass',
  },
  { rule: '5.4 mx does not fall back to A', zone: { 'a.test': { ...spf('v=spf1 mx -all'), A: [IP] } }, result: 'fail' },
  {
    rule: '5.4 a null MX matches nothing',
    zone: { 'a.test': { ...spf('v=spf1 mx -all'), MX: [{ preference: 0, exchange: '.' }] } },
    result: 'fail',
  },
  {
    rule: '5.5 ptr matches a validated name under the domain',
    zone: { 'a.test': spf('v=spf1 ptr -all'), '3.2.0.192.in-addr.arpa': { PTR: ['mail.a.test'] }, 'mail.a.test': { A: [IP] } },
    result: 'pass',
  },
  {
    rule: '5.5 a name that does not lead back is not validated',
    zone: { 'a.test': spf('v=spf1 ptr -all'), '3.2.0.192.in-addr.arpa': { PTR: ['mail.a.test'] }, 'mail.a.test': { A: ['192.0.2.4'] } },
    result: 'fail',
  },
  {
    rule: '5.5 a name beside the domain does not match',
    zone: { 'a.test': spf('v=spf1 ptr:b.test -all'), '3.2.0.192.in-addr.arpa': { PTR: ['xb.test'] }, 'xb.test': { A: [IP] } },
    result: 'fail',
  },
  {
    rule: '5.5 a failing PTR look-up does not match',
    zone: { 'a.test': spf('v=spf1 ptr -all'), '3.2.0.192.in-addr.arpa': 'SERVFAIL' },
    result: 'fail',
  },
  {
    rule: '5.5 only the first ten names are validated',
    zone: {
      'a.test': spf('v=spf1 ptr -all'),
      '3.2.0.192.in-addr.arpa': { PTR: [...Array.from({ length: 10 }, (_, i) => `m${i}.test`), 'a.test'] },
    },
    result: 'fail',
  },
  {
    rule: '5.5 ptr for IPv6',
    zone: {
      'a.test': { ...spf('v=spf1 ptr -all'), AAAA: ['2001:db8::1'] },
      [`1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`]: { PTR: ['a.test'] },
    },
    ip: '2001:db8::1',
    result: 'pass',
  },
  { rule: '5.6 ip4 with host bits set', zone: { 'a.test': spf('v=spf1 ip4:192.0.2.99/24 -all') }, result: 'pass' },
  { rule: '5.6 ip4 with three octets is permerror', zone: { 'a.test': spf('v=spf1 ip4:192.0.2 +all') }, result: 'permerror' },
  { rule: '5.6 ip4:…/0 matches every IPv4 client', zone: { 'a.test': spf('v=spf1 ip4:0.0.0.0/0 -all') }, result: 'pass' },
  {
    rule: '5.6 ip4 does not match an IPv6 client',
    zone: { 'a.test': spf('v=spf1 ip4:0.0.0.0/0 -all') },
    ip: '2001:db8::1',
    result: 'fail',
  },
  { rule: '5.6 ip6', zone: { 'a.test': spf('v=spf1 ip6:2001:db8::/32 -all') }, ip: '2001:db8:1::9', result: 'pass' },
  {
    rule: '5.6 ip6 does not match an IPv4 client, mapped or not',
    zone: { 'a.test': spf('v=spf1 ip6:::ffff:192.0.2.3 -all') },
    ip: '::ffff:192.0.2.3',
    result: 'fail',
  },
  { rule: '5.6 ip6 has no dual prefix', zone: { 'a.test': spf('v=spf1 ip6:2001:db8::1//64 +all') }, result: 'permerror' },
  { rule: '5.6 glued terms are permerror', zone: { 'a.test': spf('v=spf1 ip4:192.0.2.3~all') }, result: 'permerror' },
  {
    rule: '5.7 exists asks for A, whatever the family',
    zone: { 'a.test': spf('v=spf1 exists:h.test -all'), 'h.test': { A: ['127.0.0.2'] } },
    ip: '2001:db8::1',
    result: 'pass',
  },
  {
    rule: '5.7 exists needs an A record',
    zone: { 'a.test': spf('v=spf1 exists:h.test -all'), 'h.test': { AAAA: ['2001:db8::1'] } },
    result: 'fail',
  },
  { rule: '5.7 exists takes no prefix', zone: { 'a.test': spf('v=spf1 exists:h.test/24 +all') }, result: 'permerror' },
  {
    rule: '6 redirect twice is permerror',
    zone: { 'a.test': spf('v=spf1 redirect=b.test redirect=b.test'), 'b.test': spf('v=spf1 +all') },
    result: 'permerror',
  },
  { rule: '6 exp twice is permerror', zone: { 'a.test': spf('v=spf1 exp=b.test exp=b.test +all') }, result: 'permerror' },
  { rule: '6 an unknown modifier is ignored', zone: { 'a.test': spf('v=spf1 moo=%{t} +all') }, result: 'pass' },
  { rule: '6 a malformed unknown modifier is permerror', zone: { 'a.test': spf('v=spf1 moo=%{z} +all') }, result: 'permerror' },
  {
    rule: '6.1 redirect gives the target its result',
    zone: { 'a.test': spf('v=spf1 redirect=b.test'), 'b.test': spf('v=spf1 ~all') },
    result: 'softfail',
  },
  {
    rule: '6.1 redirect stands anywhere, and comes last',
    zone: { 'a.test': spf('v=spf1 redirect=b.test ip4:192.0.2.3'), 'b.test': spf('v=spf1 -all') },
    result: 'pass',
  },
  {
    rule: '6.1 all wins over redirect',
    zone: { 'a.test': spf('v=spf1 redirect=b.test ?all'), 'b.test': spf('v=spf1 -all') },
    result: 'neutral',
  },
  { rule: '6.1 redirect to no record is permerror', zone: { 'a.test': spf('v=spf1 redirect=b.test') }, result: 'permerror' },
  { rule: '6.1 redirect needs a full name', zone: { 'a.test': spf('v=spf1 redirect=b') }, result: 'permerror' },
  { rule: '6.2 exp does not change the result', zone: { 'a.test': spf('v=spf1 -all exp=b.test'), 'b.test': 'SERVFAIL' }, result: 'fail' },
  { rule: '7.1 an unknown macro letter is permerror', zone: { 'a.test': spf('v=spf1 a:%{x}.test +all') }, result: 'permerror' },
  { rule: '7.1 c, r and t are for explanations', zone: { 'a.test': spf('v=spf1 exists:%{c}.test +all') }, result: 'permerror' },
  { rule: '7.1 keeping 0 parts is permerror', zone: { 'a.test': spf('v=spf1 a:%{d0} +all') }, result: 'permerror' },
  { rule: '7.1 a lone % is permerror', zone: { 'a.test': spf('v=spf1 a:50%.test +all') }, result: 'permerror' },
  {
    rule: '7.1 text after the last macro has to be a top label',
    zone: { 'a.test': spf('v=spf1 exists:%{d}com +all') },
    result: 'permerror',
  },
  { rule: '7.1 a numeric top label is permerror', zone: { 'a.test': spf('v=spf1 a:192.0.2.3 +all') }, result: 'permerror' },
  {
    rule: '7.2 %{d} is the domain of the record at hand',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': spf('v=spf1 exists:x.%{d} -all'), 'x.b.test': { A: [IP] } },
    result: 'pass',
  },
  {
    rule: '7.2 %{o} stays the sender’s domain',
    zone: { 'a.test': spf('v=spf1 include:b.test -all'), 'b.test': spf('v=spf1 exists:x.%{o} -all'), 'x.a.test': { A: [IP] } },
    result: 'pass',
  },
  {
    rule: '7.2 %{h} is the HELO name',
    zone: { 'a.test': spf('v=spf1 exists:%{h} -all'), 'mx.h.test': { A: [IP] } },
    helo: 'mx.h.test',
    result: 'pass',
  },
  {
    rule: '7.2 %{p} is the validated name',
    zone: {
      'a.test': spf('v=spf1 exists:%{p}.l.test -all'),
      '3.2.0.192.in-addr.arpa': { PTR: ['k.test', 'mail.a.test'] },
      'k.test': { A: [IP] },
      'mail.a.test': { A: [IP] },
      'mail.a.test.l.test': { A: [IP] },
    },
    result: 'pass',
  },
  {
    rule: '7.2 %{p} is unknown without a validated name',
    zone: { 'a.test': spf('v=spf1 exists:%{p}.l.test -all'), 'unknown.l.test': { A: [IP] } },
    result: 'pass',
  },
  {
    rule: '7.3 %{ir}.%{v}',
    zone: { 'a.test': spf('v=spf1 exists:%{ir}.%{v}.l.test -all'), '3.2.0.192.in-addr.l.test': { A: [IP] } },
    result: 'pass',
  },
  {
    rule: '7.3 %{i} of IPv6 is in nibbles',
    zone: { 'a.test': spf('v=spf1 exists:%{i2}.%{v}.l.test -all'), '0.1.ip6.l.test': { A: [IP] } },
    ip: '2001:db8::1',
    result: 'pass',
  },
  {
    rule: '7.3 %{l1r-} splits, reverses and keeps the right',
    zone: { 'a.test': spf('v=spf1 exists:%{l1r-}.l.test -all'), 'strong.l.test': { A: [IP] } },
    sender: 'strong-bad@a.test',
    result: 'pass',
  },
  {
    rule: '7.3 parts are joined with dots, whatever split them',
    zone: { 'a.test': spf('v=spf1 exists:%{l-}.l.test -all'), 'strong.bad.l.test': { A: [IP] } },
    sender: 'strong-bad@a.test',
    result: 'pass',
  },
  {
    rule: '7.3 %{d2} keeps two labels',
    zone: { 'x.y.a.test': spf('v=spf1 exists:%{d2} -all'), 'a.test': { A: [IP] } },
    domain: 'x.y.a.test',
    result: 'pass',
  },
  {
    rule: '7.3 an upper-case letter escapes',
    zone: { 'a.test': spf('v=spf1 exists:%{L}.l.test -all'), 'a%2bb.l.test': { A: [IP] } },
    sender: 'a+b@a.test',
    result: 'pass',
  },
  {
    rule: '7.3 %% %_ and %-',
    zone: { 'a.test': spf('v=spf1 exists:a%%b%_c%-d.l.test -all'), 'a%b c%20d.l.test': { A: [IP] } },
    result: 'pass',
  },
  {
    rule: '7.3 long names lose labels on the left',
    zone: { 'a.test': spf(`v=spf1 exists:${'abcdefghi.'.repeat(26)}l.test -all`), [`${'abcdefghi.'.repeat(24)}l.test`]: { A: [IP] } },
    result: 'pass',
  },
];
