import { central, Host, Defaulted } from '../kit/index.ts';
import { type DnsRecordOf, recordsOf } from '@vedette/contract';
import { DNS_QUESTIONS } from '@vedette/probes/dns';
import { type Static, Type } from 'typebox';
import { ownerName } from '../shared/names/dns-owner.ts';
import { DnsTypes, parseDnsTypes } from '../shared/names/dns-types.ts';
import { authoritativeTtls, earlyTtls, TTL_BUDGET, type TtlOf } from './authoritative-ttls.ts';
import { ITEMS, signatureItem } from './items.ts';
import { type TypeAnswer, askType, signaturesOf } from './questions.ts';
import { type LookupStatus, Records, Statuses } from './schema.ts';
import { type AskedType, DEFAULT_TYPES, keyOf, LOOKUP_TYPES } from './types.ts';

const RESOLVER_MS = 7_500; // leaves time for the zone's own servers and the report

/** The records of a host, any of 25 types, as its zone publishes them. Sends DNS queries only. */
export const dnsLookup = central({
  name: 'dns-lookup',
  subject: 'dns',
  summary: 'Look up the DNS records of a host',
  description: 'Queries all types at once. DMARC, BIMI, MTA-STS, TLS-RPT and ACME are TXT records at well-known names below the host.',
  cost: 1,
  deadline_ms: 10_000,
  dns: { questions: LOOKUP_TYPES.length + 2 * TTL_BUDGET.questions, ms: RESOLVER_MS + TTL_BUDGET.ms },
  references: ['RFC 1035', 'RFC 4034', 'RFC 6698', 'RFC 8659', 'RFC 9460', 'RFC 2181'],
  request: Type.Object(
    {
      host: Host({
        description:
          'Host name, or an address for PTR. SRV, TLSA, URI and SVCB are queried at exactly this name, such as _imaps._tcp.example.org',
      }),
      dns_types: Defaulted(
        DnsTypes(LOOKUP_TYPES, {
          example: 'A,AAAA,MX',
          note: '; RRSIG returns the signatures of the other types',
        }),
        DEFAULT_TYPES.join(','),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    host: Type.String({ description: 'Queried name, in lower case and A-labels' }),
    records: Records,
    statuses: Statuses,
  }),
  targets: { host: 'owner' },
  contactsTarget: false,
  examples: [{ host: 'example.org' }, { host: 'example.org', dns_types: LOOKUP_TYPES.join(',') }],
  read({ dns_types }, { host }) {
    const types = parseDnsTypes(dns_types, LOOKUP_TYPES);
    return { host: host.host, name: ownerName(host, types), types };
  },
  async run({ host, name, types }, context) {
    const signatures = types.includes('RRSIG');
    const named = types.filter((type) => type !== 'RRSIG');
    const queryTypes = named.length > 0 ? named : DEFAULT_TYPES;

    using resolver = context.resolver.share({ questions: queryTypes.length, ms: RESOLVER_MS });
    const ports = { resolver, signatures, signal: context.signal };
    const [early, ...lookups] = await Promise.all([
      earlyTtls(name, queryTypes, context),
      ...queryTypes.map((type) => askType(name, type, ports)),
    ]);
    const ttlOf = await authoritativeTtls(name, lookups, early, context);

    const shown = lookups.filter(({ type }) => named.includes(type));
    const records: Static<typeof Records> = Object.fromEntries(shown.map((lookup) => [keyOf(lookup.type), itemsOf(lookup, ttlOf)]));
    const statuses = Object.fromEntries(shown.map(({ type, status }) => [keyOf(type), status]));
    if (!signatures) return { host, records, statuses };
    const rrsig = signaturesOf(lookups).map(signatureItem);
    return {
      host,
      records: { ...records, rrsig },
      statuses: { ...statuses, rrsig: rrsig.length > 0 ? 'noerror' : absenceOf(lookups) },
    };
  },
});

function itemsOf({ type, answer }: TypeAnswer, ttlOf: TtlOf): object[] {
  if (!answer) return [];
  const item = ITEMS[type] as (record: DnsRecordOf<(typeof DNS_QUESTIONS)[AskedType]['type']>) => object;
  return recordsOf(answer, DNS_QUESTIONS[type].type).map((record) => item({ ...record, ttl: ttlOf(record) }));
}

/** No signature anywhere is a fact only if one of the questions was answered. */
const absenceOf = (lookups: readonly TypeAnswer[]): LookupStatus =>
  lookups.some(({ status }) => status === 'noerror' || status === 'nodata') ? 'nodata' : lookups[0]!.status;
