import * as fc from 'fast-check';
import type { FakeZone } from '../../intel/fake-resolver.ts';

/** Mostly one, sometimes the other: whole cases should seldom hold more than one oddity. */
const mostly = <A, B>(usual: fc.Arbitrary<A>, odd: fc.Arbitrary<B>, ratio = 60): fc.Arbitrary<A | B> =>
  fc.oneof({ weight: ratio, arbitrary: usual }, { weight: 1, arbitrary: odd });
const oneOf = (words: string): fc.Arbitrary<string> => fc.constantFrom(...words.split(/\s+/));

// Small pools, so that records name each other and addresses match often.
const DOMAINS = ['a.test', 'b.test', 'c.test', 'd.b.test', 'e.test'];
const HOSTS = ['h1.test', 'h2.test', 'mail.a.test', 'nothing.test'];
const V4 = ['192.0.2.1', '192.0.2.77', '198.51.100.4', '203.0.113.200'];
const V6 = ['2001:db8::1', '2001:db8:5::77', '2001:db8:ffff::4'];

const macro = oneOf(
  `%{d} %{d2} %{d1r}.test %{o} %{h} %{ir}.%{v}._spf.a.test %{i}.x.a.test %{l}.x.a.test %{L-}.x.a.test %{S}.x.a.test %{l1r-}.x.a.test
   %%x.a.test a%_b.a.test %{s} %{dr-} %{d99} %{i4r}.x.a.test %{H} %{lr+=}.x.a.test mail.%{d}. h1.%{d1r} %{p} x.%{p2}`,
);
const badName = oneOf('a test %{x}.a.test %{d %a.test %{d0} %{c}.a.test a..test x.123 a.test- é.test %{d}x .. a.b-c A.TEST a.test.');
const policyName = mostly(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...DOMAINS) }, { weight: 1, arbitrary: macro }), badName);
const hostName = mostly(
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...DOMAINS, ...HOSTS) }, { weight: 1, arbitrary: macro }),
  badName,
);
const prefixes4 = mostly(fc.constantFrom('', '', '/24', '/32', '/0', '/8'), oneOf('/33 /024 / /x'));
const prefixes6 = mostly(fc.constantFrom('', '', '//64', '//128', '//0', '//48'), oneOf('//129 //048 //'));
const networks6 = mostly(fc.constantFrom('', '', '/64', '/128', '/0', '/32'), oneOf('/129 //64 /'));

const joined = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> => fc.tuple(...parts).map((texts) => texts.join(''));
const mechanism = fc.oneof(
  { weight: 5, arbitrary: joined(fc.constant('include:'), policyName) },
  { weight: 3, arbitrary: joined(oneOf('a: mx: A: Mx:'), hostName, prefixes4, prefixes6) },
  { weight: 2, arbitrary: joined(oneOf('a mx'), prefixes4, prefixes6) },
  { weight: 2, arbitrary: joined(fc.constant('exists:'), hostName) },
  { weight: 1, arbitrary: mostly(joined(fc.constant('ptr:'), hostName), fc.constant('ptr'), 1) },
  { weight: 4, arbitrary: joined(fc.constant('ip4:'), mostly(oneOf(V4.join(' ')), oneOf('192.0.2 192.0.2.01 2001:db8::1')), prefixes4) },
  {
    weight: 3,
    arbitrary: joined(fc.constant('ip6:'), mostly(oneOf(V6.join(' ')), oneOf('::ffff:192.0.2.1 :: 2001:db8::1:: 192.0.2.1')), networks6),
  },
  { weight: 3, arbitrary: mostly(oneOf('all all ALL'), oneOf('all:x all/24 all=')) },
);
const modifier = fc.oneof(
  { weight: 4, arbitrary: joined(fc.constant('redirect='), policyName) },
  { weight: 1, arbitrary: joined(fc.constant('exp='), hostName) },
  { weight: 1, arbitrary: mostly(oneOf('moo=x moo=%{d} moo= m_o-o.1=a:b/c moo=%{t}'), oneOf('v=spf1 moo=%{x} 1x=y'), 3) },
);
const junk = oneOf('foo foo:bar - ~ ++all ip4 include a= =x :a.test aall ip4:192.0.2.1~all /24 +redirect=a.test');
const directive = joined(fc.constantFrom('', '', '', '+', '-', '~', '?'), mechanism);
const term = mostly(fc.oneof({ weight: 10, arbitrary: directive }, { weight: 1, arbitrary: modifier }), junk, 200);
const version = mostly(fc.constant('v=spf1'), fc.constantFrom('V=SPF1', 'v=spf10', ' v=spf1', 'v=spf1\t'));
const record = fc
  .tuple(version, fc.array(term, { maxLength: 5 }), mostly(fc.constant(' '), fc.constantFrom('  ', ' \t'), 20))
  .map(([start, terms, space]) => [start, ...terms].join(space));
/** A record in one or two character-strings. */
const txt = fc.tuple(record, fc.nat({ max: 40 })).map(([text, at]) => [text.slice(0, at), text.slice(at)].filter(Boolean));

const failing = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom('SERVFAIL', 'TIMEOUT', 'REFUSED') });
const addresses = (pool: string[]) => mostly(fc.uniqueArray(fc.constantFrom(...pool), { minLength: 1, maxLength: 2 }), fc.constant([]), 8);
const exchanges = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 3 }), fc.constantFrom(...HOSTS)), { minLength: 1, maxLength: 3, selector: ([, host]) => host })
  .map((list) => list.map(([preference, exchange]) => ({ preference, exchange })));
const policies = mostly(
  txt.map((one) => [one, ['unrelated=1']]),
  fc.array(txt, { maxLength: 2 }),
  30,
);
const policyHost = failing(
  fc.record({ TXT: failing(policies), A: addresses(V4), AAAA: addresses(V6), MX: failing(mostly(exchanges, fc.constant([]), 8)) }),
);
const addressHost = failing(fc.record({ A: failing(addresses(V4)), AAAA: failing(addresses(V6)) }));

export interface SpfCase {
  zone: FakeZone;
  domain: string;
  ip: string;
  sender: string;
  helo: string;
}

/** A zone of domains that refer to each other, and a question about one of them. */
export const spfCase: fc.Arbitrary<SpfCase> = fc
  .record({
    policies: fc.tuple(...DOMAINS.map(() => policyHost)),
    hosts: fc.tuple(addressHost, addressHost, addressHost),
    listed: fc.boolean(),
    names: fc.uniqueArray(oneOf('h1.test mail.a.test gone.a.test a.test h1.d.b.test'), { maxLength: 3 }),
    domain: fc.constantFrom(...DOMAINS),
    ip: fc.constantFrom(...V4, ...V6, '::ffff:192.0.2.1'),
    local: oneOf(`postmaster strong-bad a+b=c A.b o'x(y)!*`),
    helo: oneOf('mx.a.test h1.test'),
  })
  .map(({ policies, hosts, listed, names, domain, ip, local, helo }) => {
    const zone = Object.fromEntries(DOMAINS.map((owner, i) => [owner, policies[i]!])) as FakeZone;
    for (const [i, host] of hosts.entries()) zone[HOSTS[i]!] = host;
    if (listed) zone['1.2.0.192.in-addr._spf.a.test'] = { A: ['127.0.0.2'] };
    zone['1.2.0.192.in-addr.arpa'] = { PTR: names };
    zone['*.x.a.test'] = { A: ['127.0.0.2'] };
    return { zone, domain, ip, sender: `${local}@${domain}`, helo };
  });
