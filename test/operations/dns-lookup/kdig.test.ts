import { createAddressPolicy } from '@vedette/probes/host';
import type { Resolver } from '@vedette/contract';
import { parseOwner } from '@vedette/operations/kit';
import { createResolver, DNS_QUESTIONS } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dnsLookup } from '../../../packages/operations/src/dns-lookup/index.ts';
import { keyOf, LOOKUP_TYPES } from '../../../packages/operations/src/dns-lookup/types.ts';
import { outputOf, serveZones, type ZoneServers } from '../../mail/dnssec/zone-servers.ts';
import { dnsContext, schemaErrors } from '../dnssec-status/context.ts';
import { answer } from '../answer.ts';

const RECORDS = String.raw`
@ 301 A 192.0.2.9
@ 302 AAAA 2001:db8::9
@ 302 AAAA 2001:db8::a
@ MX 10 mail
@ MX 0 .
@ 303 TXT "v=spf1 " "-all"
@ 303 TXT "caf\195\169"
@ 303 TXT "\255 raw \\ octet"
@ 304 CAA 128 issuewild "ca.example.net; account=1"
@ 304 CAA 0 issuemail ";"
@ 305 HTTPS 1 . alpn="h3,h2" port=8443 ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1 key65333=ab
@ 305 HTTPS 2 alt.full.test. alpn=h2 no-default-alpn mandatory=alpn
@ 306 TLSA 3 1 1 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
@ 307 SRV 1 2 443 www
@ 308 NAPTR 10 20 "U" "E2U+sip" "!^(.*)$!sip:\\\\1@full.test!" .
@ 308 NAPTR 20 20 "" "" "" next.full.test.
@ 309 SSHFP 4 2 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff
@ 310 SVCB 1 dns.full.test. alpn=dot port=853
@ 311 URI 10 1 "https://full.test/?a=b"
@ 312 LOC 52 22 23.000 N 4 53 32.500 W -2.00m 1m 10000m 10m
@ 313 PTR host
to CNAME www
_dmarc TXT "v=DMARC1; p=reject; " "rua=mailto:a@full.test"
default._bimi TXT "v=BIMI1; l=https://full.test/logo.svg"
_mta-sts TXT "v=STSv1; id=20260101"
_smtp._tls TXT "v=TLSRPTv1; rua=mailto:t@full.test"
_acme-challenge TXT "gfj9Xq...Rg85nM"
0/25 PTR classless
a\.b PTR dot
sp\032ace PTR a\.b
o\255ct PTR sp\032ace
deep.*.below PTR o\255ct
`;

let servers: ZoneServers;
let resolver: Resolver & { close(): void };

beforeAll(async () => {
  servers = await serveZones([{ name: '.' }, { name: 'test', records: 'ns A 127.0.0.1' }, { name: 'full.test', records: RECORDS }]);
  resolver = createResolver({ servers: [servers.authoritative], policy: createAddressPolicy(), clock: systemClock, cache: false });
});
afterAll(async () => {
  resolver?.close();
  await servers?.close();
});

type Item = Record<string, string | number>;
const name = (text: string) => (text === '.' ? text : `${text}.`);
const quoted = (text: string) =>
  `"${[...Buffer.from(text)].map((octet) => (octet > 0x7e ? `\\${octet}` : String.fromCharCode(octet))).join('')}"`;
const text = ({ target }: Item) => quoted(String(target));

/** Our items in the words of a zone file. */
const LINES: Record<string, (item: Item) => (string | number)[]> = {
  a: ({ target }) => [target!],
  aaaa: ({ target }) => [target!],
  mx: ({ pref, target }) => [pref!, name(String(target))],
  ns: ({ target }) => [name(String(target))],
  soa: (soa) => [name(String(soa.mname)), name(String(soa.rname)), soa.serial!, soa.refresh!, soa.retry!, soa.expire!, soa.minttl!],
  caa: ({ flag, tag, value }) => [flag!, tag!, `"${value}"`],
  https: ({ priority, target, params }) => [priority!, name(String(target)), String(params).replaceAll('"', '')],
  tlsa: ({ usage, selector, matching_type, certificate }) => [usage!, selector!, matching_type!, certificate!],
  srv: ({ priority, weight, port, target }) => [priority!, weight!, port!, name(String(target))],
  cname: ({ target }) => [name(String(target))],
  ptr: ({ target }) => [name(String(target))],
  naptr: ({ order, preference, flags, services, regexp, replacement }) => [
    order!,
    preference!,
    `"${flags}"`,
    `"${services}"`,
    `"${regexp}"`,
    name(String(replacement)),
  ],
  sshfp: ({ algorithm, fingerprint_type, fingerprint }) => [algorithm!, fingerprint_type!, fingerprint!],
  svcb: ({ priority, target, params }) => [priority!, name(String(target)), String(params).replaceAll('"', '')],
  uri: ({ priority, weight, target }) => [priority!, weight!, `"${target}"`],
  loc: ({ latitude, longitude, altitude_m, size_m, horizontal_precision_m, vertical_precision_m }) => [
    ...angle(Number(latitude), 'N', 'S'),
    ...angle(Number(longitude), 'E', 'W'),
    ...[altitude_m, size_m, horizontal_precision_m, vertical_precision_m].map((metres) => `${metres}m`),
  ],
  dnskey: ({ flags, protocol, algorithm, public_key }) => [flags!, protocol!, algorithm!, public_key!],
  ds: ({ key_tag, algorithm, digest_type, digest }) => [key_tag!, algorithm!, digest_type!, digest!],
  rrsig: (sig) => [
    sig.type_covered!,
    sig.algorithm!,
    sig.labels!,
    sig.original_ttl!,
    stamp(Number(sig.expiration)),
    stamp(Number(sig.inception)),
    sig.key_tag!,
    name(String(sig.signer_name)),
    sig.signature!,
  ],
};
const angle = (degrees: number, positive: string, negative: string) => {
  const thousandths = Math.round(Math.abs(degrees) * 3_600_000);
  const seconds = (thousandths % 60_000) / 1000;
  return [
    Math.trunc(thousandths / 3_600_000),
    Math.trunc(thousandths / 60_000) % 60,
    Number.isInteger(seconds) ? seconds : seconds.toFixed(3),
    degrees < 0 ? negative : positive,
  ];
};
const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
const lineOf = (key: string, item: Item) => (LINES[key] ? LINES[key](item).join(' ') : text(item));

/** What kdig prints, `ttl rdata` a line; strings joined and quotes off parameters, as we show them. */
async function kdig(owner: string, type: string, options: string[] = []): Promise<string[]> {
  const { address, port } = servers.authoritative;
  const output = await outputOf('kdig', [`@${address}`, '-p', String(port), '+noall', '+answer', ...options, owner, type]);
  return output
    .split('\n')
    .map((line) => line.split(/\s+/))
    .filter((fields) => fields.length > 4)
    .map(([, ttl, , rrType, ...rdata]) => ({ ttl: ttl!, type: rrType!, rdata: rdata.join(' ').trim() }))
    .filter((record) => record.type === type)
    .map(({ ttl, rdata }) => `${ttl} ${normalised(type, rdata)}`)
    .sort();
}

function normalised(type: string, rdata: string): string {
  if (type === 'TXT') return rdata.replaceAll('" "', '');
  if (type === 'HTTPS' || type === 'SVCB') return rdata.replaceAll('"', '');
  if (type === 'TLSA' || type === 'DS' || type === 'SSHFP') return rdata.toLowerCase();
  return rdata;
}

const lookUp = async (dns_types: string, host = 'full.test') =>
  (await answer(dnsLookup, { host, dns_types }, dnsContext(resolver))).records as Record<string, Item[]>;

const SHOWN_WITHOUT_TTL = new Set(['DNSKEY', 'DS']);

it.each(LOOKUP_TYPES.filter((type) => type !== 'RRSIG'))('%s is what kdig shows', async (type) => {
  const key = keyOf(type);
  const question = DNS_QUESTIONS[type];
  const host = type === 'CNAME' ? 'to.full.test' : 'full.test'; // where nothing else can stand
  const expected = await kdig(question.prefix + host, question.type);
  const items = (await lookUp(type, host))[key]!;
  expect(expected.length).toBeGreaterThan(0);
  const withoutTtl = SHOWN_WITHOUT_TTL.has(type);
  expect(items.map((item) => (withoutTtl ? lineOf(key, item) : `${item.ttl} ${lineOf(key, item)}`)).sort()).toEqual(
    expected.map((line) => (withoutTtl ? line.replace(/^\d+ /, '') : line)),
  );
});

it.each(['0/25', String.raw`a\.b`, String.raw`sp\032ace`, String.raw`o\255ct`, 'deep.*.below'])(
  'PTR of %s is what kdig shows, and what it shows may be asked',
  async (label) => {
    const expected = await kdig(`${label}.full.test`, 'PTR');
    const [item] = (await lookUp('PTR', `${label}.full.test`)).ptr!;
    expect([`${item!.ttl} ${lineOf('ptr', item!)}`]).toEqual(expected);
    expect(parseOwner(String(item!.target))).toEqual({ kind: 'name', host: item!.target });
  },
);

it('RRSIG is the signatures that kdig shows for the other types', async () => {
  const expected = (await Promise.all(['A', 'MX'].map((type) => rrsigs(type)))).flat().sort();
  expect((await lookUp('A,MX,RRSIG')).rrsig!.map((item) => lineOf('rrsig', item)).sort()).toEqual(expected);
});

async function rrsigs(type: string): Promise<string[]> {
  const { address, port } = servers.authoritative;
  const output = await outputOf('kdig', [`@${address}`, '-p', String(port), '+noall', '+answer', '+dnssec', 'full.test', type]);
  return output.split('\n').flatMap((line) => /\sRRSIG\s+(.*)$/.exec(line)?.[1] ?? []);
}

it('all types come from one request', async () => {
  const report = await answer(dnsLookup, { host: 'full.test', dns_types: LOOKUP_TYPES.join(',') }, dnsContext(resolver));
  const { records, statuses } = report;
  expect(schemaErrors(dnsLookup, report)).toEqual([]);
  expect(Object.keys(records)).toEqual(LOOKUP_TYPES.map(keyOf));
  expect(statuses).toEqual(Object.fromEntries(LOOKUP_TYPES.map((type) => [keyOf(type), type === 'CNAME' ? 'nodata' : 'noerror'])));
});
