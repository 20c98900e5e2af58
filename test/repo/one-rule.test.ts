import { describe, expect, it } from 'vitest';
import { linesWith, packageSources } from './sources.ts';

/** Rules that stand in one file, and what a copy of them would look like. */
const RULES: { rule: string; home: string; instead: string; copy: RegExp; copies: string[] }[] = [
  {
    rule: 'what an id is',
    home: 'packages/contract/src/net/names.ts',
    instead: 'ID_PATTERN, isId',
    copy: /\[(A-Za-z|a-zA-Z)0-9(_-|-_)\]\{1,64\}/,
    copies: ["Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })"],
  },
  {
    rule: 'at or under a domain',
    home: 'packages/contract/src/net/names.ts',
    instead: 'isAtOrUnder',
    copy: /endsWith\((`\.\$\{|'\.' \+)/,
    copies: ['name === zone || name.endsWith(`.${zone}`)', "host.endsWith('.' + domain)"],
  },
  {
    rule: 'what an IPv4-mapped address stands for',
    home: 'packages/contract/src/net/address.ts',
    instead: 'unmapped',
    copy: /::ffff:|& 0xffff_?ffffn|>> 32n/i,
    copies: ["address.startsWith('::ffff:')", 'ip.value >> 32n === 0xffffn', 'value: address.value & 0xffffffffn'],
  },
  {
    rule: 'a map with a limit',
    home: 'packages/contract/src/tools/bounded-map.ts',
    instead: 'BoundedMap',
    copy: /\.keys\(\)\.next\(\)/,
    copies: ['if (cache.size >= MAX) cache.delete(cache.keys().next().value!)'],
  },
  {
    rule: 'the last quarter is for accounts that hold little',
    home: 'packages/gateway/src/shares/fair-share.ts',
    instead: 'FairShare',
    copy: /\bheld < [\w.#]*(free|left)|RESERVED\w* = (1 \/ 4|0\.25)/i,
    copies: ['return free > reserved || held < free;', 'const RESERVED = 1 / 4;', 'if (holder.held < this.#left) return true;'],
  },
  {
    rule: 'IPv4 first, else IPv6',
    home: 'packages/probes/src/host/judge-host.ts',
    instead: 'familiesOf, judgeHost',
    copy: /kind === '(name|ipv4)' \? (\(?\[4|4 : 6)/,
    copies: ["target.kind === 'name' ? [4, 6] : [4]", "resolveTarget(target, target.kind === 'ipv4' ? 4 : 6, ports, signal)"],
  },
  {
    rule: 'when a certificate is valid',
    home: 'packages/contract/src/tools/validity.ts',
    instead: 'validity',
    copy: /\bvalid(From|To)Date\b/,
    copies: ['if (certificate.validToDate < now) return expired;', 'const { validFromDate, validToDate } = leaf;'],
  },
];

describe.each(RULES)('$rule', ({ home, copy, copies, instead }) => {
  it(`stands in ${home} alone (${instead})`, () => {
    expect(packageSources.has(home)).toBe(true);
    expect(linesWith(copy).filter((line) => !line.startsWith(`${home}:`))).toEqual([]);
  });

  it.each(copies)('a copy would be found: %s', (line) => {
    expect(linesWith(copy, new Map([['copy.ts', line]]))).toEqual([`copy.ts:1: ${line}`]);
  });
});

/** Sleeping beside work: each is something else than a limit on it. */
const NO_TIME_LIMITS: Record<string, string> = {
  'packages/contract/src/tools/time.ts': 'within itself',
  'packages/probes/src/net/icmp/pace.ts': 'a start at its time',
  'packages/probes/src/net/icmp/net-ping/process.ts': 'a late echo ends the process, and every other echo with it',
  'packages/probes/src/net/http3/client.ts': 'what is idle, or done, is closed after a while',
  'packages/probes/src/net/http3/process.ts': 'a late job ends the process, and every other job with it',
  'packages/probes/src/patterns/matcher.ts': 'a thread that is idle is ended after a while',
  'packages/probes/src/ping/probe.ts': 'the limit on the reverse name begins when the echoes end',
  'packages/probes/src/net/witness/quic.ts': 'a datagram leaves at its time, and silence is an answer, no failure',
  'packages/bus/src/serve/job-runner.ts': 'the grace after an abort',
  'packages/bus/src/render/render-outbox.ts': 'a result that nobody asks for is dropped after a while',
  'packages/probes/src/dns/engine/budget.ts': "one limit over a request's questions, whoever asks them",
  'packages/probes/src/tcp/attempts.ts': 'the limit on connecting ends nothing once the connection stands',
  'packages/probes/src/tcp/talk.ts': 'silence is an answer, no failure',
  'packages/probes/src/dns/direct.ts': 'a datagram is sent once more after a while',
  'packages/probes/src/http/page.ts': 'the limit on connecting ends nothing once the connection stands',
  'packages/probes/src/proxy/tor-way.ts': 'a witness is asked beside a silent target, and ends no wait',
};

it('work within a time limit is run by within', () => {
  const files = new Set(linesWith(/\.sleep\(.*\)\.then\(/).map((line) => line.split(':', 1)[0]!));
  expect([...files].toSorted()).toEqual(Object.keys(NO_TIME_LIMITS).toSorted());
});
