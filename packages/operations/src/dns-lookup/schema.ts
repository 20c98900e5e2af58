import { Enum, text } from '@vedette/contract';
import { integer } from '../kit/index.ts';
import { Type } from 'typebox';

const ttl = Type.Integer({ description: "Time to live in seconds, from the zone's own server if it can be queried" });
const Target = Type.Object({ target: text('Address or name that the record points to'), ttl }, { title: 'DnsTarget' });
const Text = Type.Object({ target: text('Text of the record, with its character strings joined'), ttl }, { title: 'DnsText' });

/** HTTPS and SVCB. */
const Service = Type.Object(
  {
    priority: Type.Integer({ description: 'Priority of the record; 0 means alias mode' }),
    target: Type.String({ description: 'Target name; a dot means the owner name itself' }),
    params: Type.String({ description: 'Service parameters in the presentation form of RFC 9460' }),
    ttl,
  },
  { title: 'DnsService' },
);

const Seconds = Type.Integer({ description: 'Interval in seconds' });

/** One list for each type asked, in the order received; empty when there is no such record. */
export const Records = Type.Partial(
  Type.Object({
    a: Type.Array(Target, { description: 'IPv4 addresses' }),
    aaaa: Type.Array(Target, { description: 'IPv6 addresses' }),
    mx: Type.Array(
      Type.Object({
        pref: Type.Integer({ description: 'Preference of the mail exchanger; lower values are tried first' }),
        target: text('Host name of the mail exchanger; a dot means that the domain accepts no mail'),
        ttl,
      }),
      { description: 'Mail exchangers' },
    ),
    ns: Type.Array(Target, { description: 'Name servers' }),
    txt: Type.Array(Text, { description: 'TXT records' }),
    soa: Type.Array(
      Type.Object({
        mname: text('Primary name server'),
        rname: text('Mailbox of the administrator; the first dot stands for @'),
        serial: integer('Serial number (version) of the zone'),
        refresh: Seconds,
        retry: Seconds,
        expire: Seconds,
        minttl: Seconds,
        ttl,
      }),
      { description: 'Start of authority' },
    ),
    dmarc: Type.Array(Text, { description: 'TXT records at _dmarc' }),
    bimi: Type.Array(Text, { description: 'TXT records at default._bimi' }),
    'mta-sts': Type.Array(Text, { description: 'TXT records at _mta-sts' }),
    'tls-rpt': Type.Array(Text, { description: 'TXT records at _smtp._tls' }),
    acme: Type.Array(Text, { description: 'TXT records at _acme-challenge' }),
    https: Type.Array(Service, { description: 'HTTPS records: parameters for connections to the web server (RFC 9460)' }),
    tlsa: Type.Array(
      Type.Object({
        usage: integer('Certificate usage: 0 PKIX-TA, 1 PKIX-EE, 2 DANE-TA, 3 DANE-EE'),
        selector: integer('Selector: 0 whole certificate, 1 public key'),
        matching_type: integer('Matching type: 0 exact value, 1 SHA-256, 2 SHA-512'),
        certificate: Type.String({ description: 'Certificate data in lower-case hex' }),
        ttl,
      }),
      { description: 'TLSA records: TLS certificates published in the DNS (DANE)' },
    ),
    caa: Type.Array(
      Type.Object({
        flag: integer('Flags; 128 means critical'),
        tag: text('Property tag, such as issue, issuewild or iodef'),
        value: text('Property value, such as the name of a certificate authority'),
        ttl,
      }),
      { description: 'CAA records: authorities that may issue certificates' },
    ),
    srv: Type.Array(
      Type.Object({
        port: integer('Port of the service'),
        priority: integer('Priority of the host; lower values are tried first'),
        weight: integer('Weight: share of requests among records of equal priority'),
        target: text('Host of the service; a dot means that the service does not exist'),
        ttl,
      }),
      { description: 'SRV records: hosts and ports of a service' },
    ),
    dnskey: Type.Array(
      Type.Object({
        flags: integer('Flags: 256 zone key, 257 zone key with the secure entry point flag'),
        protocol: integer('Protocol, always 3'),
        algorithm: integer('IANA algorithm number, such as 13 for ECDSA P-256'),
        public_key: Type.String({ description: 'Public key in base64' }),
      }),
      { description: 'DNSKEY records: keys of the zone' },
    ),
    ds: Type.Array(
      Type.Object({
        key_tag: integer('Key tag of the referenced key'),
        algorithm: integer('IANA algorithm number of the referenced key'),
        digest_type: integer('Digest type: 2 SHA-256, 4 SHA-384'),
        digest: Type.String({ description: 'Digest of the key in lower-case hex' }),
      }),
      { description: "DS records: digests of the zone's keys, published by the parent zone" },
    ),
    rrsig: Type.Array(
      Type.Object({
        type_covered: text('Type of the signed records'),
        algorithm: integer('IANA algorithm number of the signature'),
        labels: integer('Number of labels in the owner name; a smaller number means that a wildcard produced the record'),
        original_ttl: Seconds,
        expiration: Type.Integer({ description: 'End of validity, Unix time in seconds' }),
        inception: Type.Integer({ description: 'Start of validity, Unix time in seconds' }),
        key_tag: integer('Key tag of the signing key'),
        signer_name: text('Zone of the signing key'),
        signature: Type.String({ description: 'Signature in base64' }),
      }),
      { description: 'RRSIG records: signatures of the other records' },
    ),
    cname: Type.Array(Target, { description: 'Canonical name of which this name is an alias' }),
    ptr: Type.Array(Target, { description: 'Host names of the address' }),
    naptr: Type.Array(
      Type.Object({
        order: Type.Integer({ description: 'Order of the rule; lower values come first' }),
        preference: Type.Integer({ description: 'Preference among rules of equal order; lower values are tried first' }),
        flags: text('Flags that select the next step, such as s for an SRV query'),
        services: text('Service names, such as SIP+D2U'),
        regexp: Type.String({ description: 'Regular expression in presentation form, with doubled backslashes' }),
        replacement: Type.String({ description: 'Replacement name; a dot means that `regexp` produces the name' }),
        ttl,
      }),
      { description: 'NAPTR records: rewriting rules (RFC 3403)' },
    ),
    sshfp: Type.Array(
      Type.Object({
        algorithm: Type.Integer({ description: 'Key algorithm: 1 RSA, 3 ECDSA, 4 Ed25519, 6 Ed448' }),
        fingerprint_type: Type.Integer({ description: 'Fingerprint type: 1 SHA-1, 2 SHA-256' }),
        fingerprint: Type.String({ description: 'Fingerprint in hex' }),
        ttl,
      }),
      { description: 'SSHFP records: fingerprints of SSH keys' },
    ),
    svcb: Type.Array(Service, { description: 'SVCB records: parameters for connections to a service (RFC 9460)' }),
    uri: Type.Array(
      Type.Object({
        priority: integer('Priority of the URI; lower values are tried first'),
        weight: integer('Weight: share of requests among records of equal priority'),
        target: text('URI of the service'),
        ttl,
      }),
      { description: 'URI records of a service' },
    ),
    loc: Type.Array(
      Type.Object({
        latitude: Type.Number({ description: 'Latitude in degrees, positive to the north' }),
        longitude: Type.Number({ description: 'Longitude in degrees, positive to the east' }),
        altitude_m: Type.Number({ description: 'Altitude in metres above the WGS 84 ellipsoid' }),
        size_m: Type.Number({ description: 'Diameter of the object in metres' }),
        horizontal_precision_m: Type.Number({ description: 'Error of latitude and longitude in metres, as the diameter of a circle' }),
        vertical_precision_m: Type.Number({ description: 'Error of the altitude in metres' }),
        ttl,
      }),
      { description: 'LOC records: geographical location (RFC 1876)' },
    ),
  }),
  { description: 'Records per type, with lower-case keys; types that were not requested are absent' },
);

/** The outcome of a question: only `nodata` and `nxdomain` mean that the record does not exist. */
const LOOKUP_STATUSES = ['noerror', 'nodata', 'nxdomain', 'servfail', 'refused', 'timeout', 'failed'] as const;
export type LookupStatus = (typeof LOOKUP_STATUSES)[number];

export const Statuses = Type.Record(Type.String(), Enum(LOOKUP_STATUSES), {
  description: 'Outcome of the query for each key of `records`. An empty list proves absence only with nodata or nxdomain',
});
