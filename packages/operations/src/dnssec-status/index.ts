import { central, Host, Defaulted } from '../kit/index.ts';
import { Enum, field, isAtOrUnder, schemasOf } from '@vedette/contract';
import { DNSSEC_STATUSES, validate } from '@vedette/mail/dnssec';
import { Type } from 'typebox';
import { ownerName } from '../shared/names/dns-owner.ts';
import { apexOf } from '../shared/names/zone-apex.ts';
import { askSigned, NO_ZONE, recordsOfType, zoneRecords } from '../shared/names/zone-records.ts';
import { OWN_WORD_BUDGET, OwnWord, ownWord } from './own-word.ts';
import { present } from './presentation.ts';
import { Code } from './reason-code.ts';
import { askServers, disagreementOf, judgeServers, Server, SERVERS_BUDGET } from './servers.ts';

export const DNSSEC_TYPES = ['A', 'AAAA', 'MX', 'NS', 'TXT', 'SOA', 'CAA', 'CNAME', 'SRV'] as const;

/** The questions that validating may ask. */
const CHAIN_QUESTIONS = 60;
const RecordList = (description: string) =>
  Type.Array(
    Type.Object(
      {
        name: Type.String({ description: 'Owner name of the record' }),
        type: Type.String({ description: 'Type of the record' }),
        ttl: Type.Integer({ description: 'Time to live in seconds' }),
        data: Type.String({ description: 'Record data in presentation form, as in a zone file' }),
      },
      { title: 'DnssecRecord' },
    ),
    { description },
  );

/** The fields of the report. */
export const DNSSEC_FIELDS = {
  host: field(Type.String({ description: 'Queried name, in lower case and A-labels' })),
  dns_type: field(Type.String({ description: 'Verified record type' })),
  dnssec_enabled: field(
    Type.Boolean({ description: 'The delegation is signed: the parent zone has a DS record and the zone has keys' }),
    'True for a broken zone too; false for an *island*, a signed zone without a DS record',
  ),
  dnssec_signed: field(
    Type.Boolean({ description: 'The requested records exist and verify up to a trust anchor of the root' }),
    'Every CNAME record on the way included. False for an empty answer, even if the absence is proven: `status` is then `secure`',
  ),
  status: field(
    Enum(DNSSEC_STATUSES, { description: 'Security status (RFC 4033 §5); also secure if the absence of records is proven' }),
    'Values below',
  ),
  reason: field(
    Type.String({ description: 'Explanation of the broken link in the chain; empty if secure' }),
    'Such as `www.example.org A: the signature expired at 2026-10-01T00:00:00.000Z`. Of several flaws the gravest',
  ),
  reason_code: field(Type.Optional(Code), '[Reasons](#reasons)'),
  chain: field(
    Type.Array(
      Type.Object({
        zone: Type.String({ description: 'Name of the zone; a dot means the root' }),
        status: Enum(DNSSEC_STATUSES, { description: 'Security status of the zone' }),
        reason_code: Type.Optional(Code),
      }),
      { description: 'Zones on the path to the name, root first' },
    ),
    'A zone is `secure` if its keys are trusted; the record set itself may still be bogus',
  ),
  rrsig_records: field(RecordList('Signatures of the answer'), 'As received, verified or not'),
  dnskey_records: field(RecordList('Keys of the zone'), 'As received, verified or not'),
  ds_records: field(RecordList('DS records of the zone, published by its parent zone'), 'As received, verified or not'),
  answer: field(
    RecordList('Records of the answer, including CNAME records'),
    'As received, verified or not. Names without the trailing dot, texts joined and without quotes',
  ),
  servers: field(
    Type.Array(Server, { description: "Answers of the zone's own servers, if the delegation is signed" }),
    "At most four servers, each judged like the resolver's answer, and their serials",
  ),
  servers_disagree: field(
    Type.String({
      description: "Differences between the answers of the zone's servers, such as an outdated server; empty if all agree",
    }),
    '`status` is then that of the answer which the resolver happened to get. Servers that do not answer within 2 s are left out',
  ),
  resolver: field(OwnWord, 'With its extended errors (RFC 8914)'),
};

/** Validates a record set from the root's trust anchors down, believing no resolver. Sends DNS queries only. */
export const dnssecStatus = central({
  name: 'dnssec-status',
  subject: 'dns',
  summary: 'Validate the DNSSEC chain of a record set',
  cost: 1,
  deadline_ms: 10_000,
  dns: { questions: CHAIN_QUESTIONS + SERVERS_BUDGET.questions + OWN_WORD_BUDGET.questions, ms: 8_000 }, // what is left of the deadline is for the report
  references: ['RFC 4033', 'RFC 4034', 'RFC 4035', 'RFC 5155', 'RFC 6840', 'RFC 9276', 'RFC 9905'],
  request: Type.Object(
    {
      host: Host({ description: 'Host name' }),
      dns_type: Defaulted(Enum(DNSSEC_TYPES, { description: 'Record type to verify', examples: ['MX'] }), 'A'),
    },
    { additionalProperties: false },
  ),
  response: Type.Object(schemasOf(DNSSEC_FIELDS)),
  targets: { host: 'owner' },
  contactsTarget: false,
  examples: [{ host: 'example.org' }, { host: 'example.org', dns_type: 'MX' }],
  read: ({ dns_type }, { host }) => ({ name: ownerName(host, [dns_type]), dns_type }),
  async run({ name, dns_type }, { resolver: whole, trustAnchors, today, signal }) {
    using resolver = whole.share({ questions: CHAIN_QUESTIONS });
    const now = Math.floor(today().getTime() / 1000);
    const published = async () => {
      const apex = await apexOf(name, (owner, type) => askSigned(resolver, owner, type, signal));
      if (apex === undefined) return undefined;
      const zone = await zoneRecords(resolver, apex, signal);
      return { zone, answers: zone.delegated ? await askServers({ name, type: dns_type, apex }, whole, signal) : [] };
    };
    const [{ verdict, chain, judge }, answer, found, word] = await Promise.all([
      validate(name, dns_type, { resolver, anchors: trustAnchors, now, signal }),
      askSigned(resolver, name, dns_type, signal),
      published(),
      ownWord(name, dns_type, whole, signal),
    ]);
    const zone = found?.zone ?? (verdict.status === 'secure' ? await zoneRecords(resolver, lastZone(chain, name), signal) : NO_ZONE);
    const servers = await judgeServers(found?.answers ?? [], judge);
    const records = (answer?.answers ?? []).filter(({ type }) => type !== 'RRSIG');
    return {
      host: name,
      dns_type,
      dnssec_enabled: zone.delegated && zone.dnskeys.length > 0,
      dnssec_signed: verdict.status === 'secure' && records.some(({ type }) => type === dns_type),
      ...(verdict.status === 'secure'
        ? { status: verdict.status, reason: '' }
        : { status: verdict.status, reason: verdict.reason, reason_code: verdict.code }),
      chain: chain.map(({ zone: linkZone, status, code }) => ({ zone: linkZone, status, ...(code && { reason_code: code }) })),
      rrsig_records: recordsOfType(answer, 'RRSIG').map(present),
      dnskey_records: zone.dnskeys.map(present),
      ds_records: zone.ds.map(present),
      answer: records.map(present),
      servers,
      servers_disagree: disagreementOf(servers),
      resolver: word,
    };
  },
});

/** The apex at which a secure chain ends, on the way to the name; the chain itself shows it. */
const lastZone = (chain: readonly { zone: string }[], name: string): string =>
  chain.findLast(({ zone }) => isAtOrUnder(name, zone))?.zone ?? '.';
