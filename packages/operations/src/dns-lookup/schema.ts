import { Enum, integer as number, text } from '@vedette/contract';
import { Type } from 'typebox';

const ttl = Type.Integer({ description: "Seconds, as the zone's own server gives it where it can be asked" });
const Target = Type.Object({ target: text('The address or name'), ttl }, { title: 'DnsTarget' });
const Text = Type.Object({ target: text('Value of the record, its character strings joined'), ttl }, { title: 'DnsText' });

/** HTTPS and SVCB. */
const Service = Type.Object(
  {
    priority: Type.Integer({ description: '0: alias mode' }),
    target: Type.String({ description: 'A dot is the owner name itself' }),
    params: Type.String({ description: 'Presentation form of RFC 9460' }),
    ttl,
  },
  { title: 'DnsService' },
);

const Seconds = Type.Integer({ description: 'Seconds' });

/** One list for each type asked, in the order received; empty when there is no such record. */
export const Records = Type.Partial(
  Type.Object({
    a: Type.Array(Target, { description: 'IPv4 addresses' }),
    aaaa: Type.Array(Target, { description: 'IPv6 addresses' }),
    mx: Type.Array(
      Type.Object({
        pref: Type.Integer({ description: 'Lower is tried first' }),
        target: text('The mail exchanger; a dot: none takes mail'),
        ttl,
      }),
      { description: 'Mail exchangers' },
    ),
    ns: Type.Array(Target, { description: 'Name servers' }),
    txt: Type.Array(Text, { description: 'Texts' }),
    soa: Type.Array(
      Type.Object({
        mname: text('The primary server'),
        rname: text('Whom to write to: the first dot is the @'),
        serial: number('Version of the zone'),
        refresh: Seconds,
        retry: Seconds,
        expire: Seconds,
        minttl: Seconds,
        ttl,
      }),
      { description: 'Start of authority' },
    ),
    dmarc: Type.Array(Text, { description: 'TXT at _dmarc' }),
    bimi: Type.Array(Text, { description: 'TXT at default._bimi' }),
    'mta-sts': Type.Array(Text, { description: 'TXT at _mta-sts' }),
    'tls-rpt': Type.Array(Text, { description: 'TXT at _smtp._tls' }),
    acme: Type.Array(Text, { description: 'TXT at _acme-challenge' }),
    https: Type.Array(Service, { description: 'How to reach the web server (RFC 9460)' }),
    tlsa: Type.Array(
      Type.Object({
        usage: number('0 PKIX-TA, 1 PKIX-EE, 2 DANE-TA, 3 DANE-EE'),
        selector: number('0 whole certificate, 1 public key'),
        matching_type: number('0 as it is, 1 SHA-256, 2 SHA-512'),
        certificate: Type.String({ description: 'Hex' }),
        ttl,
      }),
      { description: 'Certificates for TLS by the DNS' },
    ),
    caa: Type.Array(
      Type.Object({
        flag: number('128: critical'),
        tag: text('Such as issue, issuewild, iodef'),
        value: text('Such as the name of an authority'),
        ttl,
      }),
      { description: 'Who may issue certificates' },
    ),
    srv: Type.Array(
      Type.Object({
        port: number('Port of the service'),
        priority: number('Lower is tried first'),
        weight: number('Share among those of one priority'),
        target: text('The host; a dot: there is no such service'),
        ttl,
      }),
      { description: 'Where a service is' },
    ),
    dnskey: Type.Array(
      Type.Object({
        flags: number('256 zone key, 257 with the entry-point flag'),
        protocol: number('Always 3'),
        algorithm: number('IANA number, such as 13 for ECDSA P-256'),
        public_key: Type.String({ description: 'Base64' }),
      }),
      { description: 'Keys of the zone' },
    ),
    ds: Type.Array(
      Type.Object({
        key_tag: number('Of the key that it names'),
        algorithm: number('Of that key, IANA number'),
        digest_type: number('2 SHA-256, 4 SHA-384'),
        digest: Type.String({ description: 'Hex' }),
      }),
      { description: 'Keys that the parent vouches for' },
    ),
    rrsig: Type.Array(
      Type.Object({
        type_covered: text('The type that it signs'),
        algorithm: number('IANA number'),
        labels: number('Of the owner; fewer than it has: made of a wildcard'),
        original_ttl: Seconds,
        expiration: Type.Integer({ description: 'Epoch seconds' }),
        inception: Type.Integer({ description: 'Epoch seconds' }),
        key_tag: number('Of the key that made it'),
        signer_name: text('The zone of that key'),
        signature: Type.String({ description: 'Base64' }),
      }),
      { description: 'Signatures of the other records' },
    ),
    cname: Type.Array(Target, { description: 'The name that this one is an alias of' }),
    ptr: Type.Array(Target, { description: 'Names of an address' }),
    naptr: Type.Array(
      Type.Object({
        order: Type.Integer({ description: 'Lower comes first' }),
        preference: Type.Integer({ description: 'Among those of one order, lower is tried first' }),
        flags: text('What comes next, such as s for an SRV question'),
        services: text('Such as SIP+D2U'),
        regexp: Type.String({ description: 'In presentation form: a backslash is two' }),
        replacement: Type.String({ description: 'A dot: the regexp makes the name' }),
        ttl,
      }),
      { description: 'Rewriting rules (RFC 3403)' },
    ),
    sshfp: Type.Array(
      Type.Object({
        algorithm: Type.Integer({ description: '1 RSA, 3 ECDSA, 4 Ed25519, 6 Ed448' }),
        fingerprint_type: Type.Integer({ description: '1 SHA-1, 2 SHA-256' }),
        fingerprint: Type.String({ description: 'Hex' }),
        ttl,
      }),
      { description: 'Fingerprints of SSH keys' },
    ),
    svcb: Type.Array(Service, { description: 'How to reach a service (RFC 9460)' }),
    uri: Type.Array(
      Type.Object({
        priority: number('Lower is tried first'),
        weight: number('Share among those of one priority'),
        target: text('The URI'),
        ttl,
      }),
      { description: 'URIs of a service' },
    ),
    loc: Type.Array(
      Type.Object({
        latitude: Type.Number({ description: 'Degrees, north is positive' }),
        longitude: Type.Number({ description: 'Degrees, east is positive' }),
        altitude_m: Type.Number({ description: 'Above the WGS 84 ellipsoid' }),
        size_m: Type.Number({ description: 'Diameter of what stands there' }),
        horizontal_precision_m: Type.Number({ description: 'Error of latitude and longitude, as a circle' }),
        vertical_precision_m: Type.Number({ description: 'Error of the altitude' }),
        ttl,
      }),
      { description: 'Where it is on earth (RFC 1876)' },
    ),
  }),
  { description: 'By type, in lower case; types that were not asked for are absent' },
);

/** What became of a question: only `nodata` and `nxdomain` mean that there is no such record. */
const LOOKUP_STATUSES = ['noerror', 'nodata', 'nxdomain', 'servfail', 'refused', 'timeout', 'failed'] as const;
export type LookupStatus = (typeof LOOKUP_STATUSES)[number];

export const Statuses = Type.Record(Type.String(), Enum(LOOKUP_STATUSES), {
  description: 'By key of records: an empty list means no such record only under nodata and nxdomain',
});
