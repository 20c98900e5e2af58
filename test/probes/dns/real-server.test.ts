import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createAddressPolicy } from '@vedette/probes/host';
import type { Resolver } from '@vedette/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createResolver, presentRecord } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { type NsdServer, startNsd } from './nsd.ts';

const KEY = 'mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==';
const DIGEST = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';
const bigText = Array.from({ length: 40 }, (_, i) => `"${String(i).padStart(3, '0')}${'x'.repeat(200)}"`).join(' ');
const zone = `$ORIGIN example.test.
$TTL 300
@ SOA NS1 host\\.master 2026010100 3600 600 86400 60
@ NS ns1
@ NS NS2
ns1 A 127.0.0.1
ns2 A 127.0.0.2
@ A 192.0.2.2
@ A 192.0.2.1
@ AAAA 2001:db8:0:0:1::1
@ MX 20 mx2
@ MX 10 MX1.Example.TEST.
mx1 A 192.0.2.10
mx2 A 192.0.2.11
@ TXT "v=spf1 " "-all"
@ TXT "gr\\195\\188n"
@ TXT "\\255\\\\"
@ TXT ""
@ CAA 128 issue "ca.example"
@ HTTPS 1 . alpn=h2,h3 ipv4hint=192.0.2.1
alias HTTPS 0 example.test.
@ SVCB 16 svc port=8443
@ TLSA 3 1 1 ${DIGEST}
@ SRV 10 5 5060 ns1
@ DNSKEY 257 3 13 ${KEY}
sub DS 12345 13 2 ${DIGEST}
sub NS ns1
@ RRSIG A 13 2 300 20270101000000 20260101000000 12345 example.test. ${KEY}
@ NSEC sub A NS SOA MX TXT AAAA SRV RRSIG NSEC DNSKEY TLSA CAA
@ NSEC3PARAM 1 0 10 aabb
www CNAME example.test.
d DNAME example.test.
p PTR Host.Example.TEST.
@ NAPTR 1 2 "U" "E2U+sip" "!^.*$!sip:x@example.test!" .
rp RP admin info
big TXT ${bigText}
`;
/** Every record, as the presentation has it. */
const expected: [string, string, (string | object)[]][] = [
  ['@', 'A', ['192.0.2.1', '192.0.2.2']],
  ['@', 'AAAA', ['2001:db8::1:0:0:1']],
  ['@', 'NS', ['ns1.example.test', 'ns2.example.test']],
  ['@', 'MX', ['10 mx1.example.test', '20 mx2.example.test']],
  ['@', 'TXT', ['', String.raw`\255\\`, 'grün', 'v=spf1 -all']],
  [
    '@',
    'SOA',
    [
      {
        mname: 'ns1.example.test',
        rname: String.raw`host\.master.example.test`,
        serial: 2026010100,
        refresh: 3600,
        retry: 600,
        expire: 86400,
        minttl: 60,
      },
    ],
  ],
  ['@', 'CAA', [{ flag: 128, tag: 'issue', value: 'ca.example' }]],
  ['@', 'SRV', [{ priority: 10, weight: 5, port: 5060, target: 'ns1.example.test' }]],
  ['@', 'HTTPS', ['1 . alpn="h2,h3" ipv4hint=192.0.2.1']],
  ['alias', 'HTTPS', ['0 example.test']],
  ['@', 'SVCB', ['16 svc.example.test port=8443']],
  ['@', 'TLSA', [`3 1 1 ${DIGEST}`]],
  ['@', 'DNSKEY', [`257 3 13 ${KEY}`]],
  ['sub', 'DS', [`12345 13 2 ${DIGEST}`]],
  ['@', 'RRSIG', [`A 13 2 300 20270101000000 20260101000000 12345 example.test ${KEY}`]],
  ['@', 'NSEC', ['sub.example.test A NS SOA MX TXT AAAA SRV RRSIG NSEC DNSKEY TLSA CAA']],
  ['@', 'NSEC3PARAM', ['1 0 10 aabb']],
  ['www', 'CNAME', ['example.test']],
  ['d', 'DNAME', ['example.test']],
  ['p', 'PTR', ['host.example.test']],
  ['rp', 'TYPE17', [String.raw`\# 39 0561646d696e076578616d706c6504746573740004696e666f076578616d706c65047465737400`]],
  ['big', 'TXT', [bigText.replaceAll(/"| /g, '')]],
];

let nsd: NsdServer;
let resolver: Resolver & { close(): void };
beforeAll(async () => {
  nsd = await startNsd('example.test', zone);
  resolver = createResolver({ servers: [nsd.endpoint], policy: createAddressPolicy(), clock: systemClock, cache: false });
});
afterAll(async () => {
  resolver?.close();
  await nsd?.stop();
});

const nameOf = (owner: string) => (owner === '@' ? 'example.test' : `${owner}.example.test`);
const byText = (left: unknown, right: unknown) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);

/** What kdig makes of the same question: `ttl hex` of each record, in the generic form of RFC 3597. */
async function kdig(name: string, type: string): Promise<string[]> {
  const { address, port } = nsd.endpoint;
  const { stdout } = await promisify(execFile)('kdig', [`@${address}`, '-p', String(port), '+generic', '+noall', '+answer', name, type]);
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';'))
    .map((line) => /^\S+\s+(\d+)\s+\S+\s+\S+\s+\\#\s+\d+\s+(.*)$/.exec(line)!)
    .map(([, ttl, rdata]) => `${ttl} ${rdata!.replaceAll(' ', '').toLowerCase()}`)
    .sort();
}

describe('against nsd', () => {
  it.each(expected)('%s %s is what the zone says', async (owner, type, records) => {
    const { rcode, aa, answers } = await resolver.query(nameOf(owner), type);
    expect({ rcode, aa }).toEqual({ rcode: 'NOERROR', aa: true });
    expect(
      answers
        .filter((record) => record.type === type)
        .map(presentRecord)
        .sort(byText),
    ).toEqual([...records].sort(byText));
  });

  it.each([...expected.map(([owner, type]) => [owner, type] as const), ['@', 'TYPE35'] as const])(
    '%s %s is, octet for octet, what kdig received',
    async (owner, type) => {
      const { answers } = await resolver.query(nameOf(owner), type);
      // Names in RDATA are lower-cased in both: the zone's own capitals are the only ones.
      const received = answers.map(({ ttl, rdata }) => `${ttl} ${Buffer.from(rdata).toString('hex')}`).sort();
      expect(received.map(lowerLetters)).toEqual((await kdig(nameOf(owner), type)).map(lowerLetters));
      expect(received.length).toBeGreaterThan(0);
    },
  );

  it('takes a TXT record of 8 KiB by TCP', async () => {
    const answer = await resolver.query('big.example.test', 'TXT');
    expect([answer.transport, answer.tries]).toEqual(['tcp', 1]);
  });

  it('tells a name that is not there from a type that is not there', async () => {
    const [nxdomain, nodata] = await Promise.all([resolver.query('nope.example.test', 'A'), resolver.query('mx1.example.test', 'TXT')]);
    expect([nxdomain, nodata].map(({ rcode, answers, authorities }) => [rcode, answers.length, authorities[0]?.type])).toEqual([
      ['NXDOMAIN', 0, 'SOA'],
      ['NOERROR', 0, 'SOA'],
    ]);
    expect((await resolver.query('example.org', 'A')).rcode).toBe('REFUSED');
  });
});

/** Folds the capital letters in a text of hex octets. */
const lowerLetters = (line: string): string =>
  line.replaceAll(/(?<=^\d+ (?:..)*)(4[1-9a-f]|5[0-9a])/g, (octet) => (Number.parseInt(octet, 16) | 0x20).toString(16));
