import { Enum } from '@vedette/contract';
import { Type } from 'typebox';

const ttl = Type.Integer({ description: "Seconds, as the zone's own server gives it where it can be asked" });
const Target = Type.Object({ target: Type.String(), ttl });
const Text = Type.Object({ target: Type.String({ description: 'Value of the record, its character strings joined' }), ttl });

/** HTTPS and SVCB. */
const Service = Type.Object({
  priority: Type.Integer({ description: '0: alias mode' }),
  target: Type.String({ description: 'A dot is the owner name itself' }),
  params: Type.String({ description: 'Presentation form of RFC 9460' }),
  ttl,
});

const Seconds = Type.Integer({ description: 'Seconds' });

/** One list for each type asked, in the order received; empty when there is no such record. */
export const Records = Type.Partial(
  Type.Object({
    a: Type.Array(Target),
    aaaa: Type.Array(Target),
    mx: Type.Array(Type.Object({ pref: Type.Integer({ description: 'Lower is tried first' }), target: Type.String(), ttl })),
    ns: Type.Array(Target),
    txt: Type.Array(Text),
    soa: Type.Array(
      Type.Object({
        mname: Type.String(),
        rname: Type.String(),
        serial: Type.Integer(),
        refresh: Seconds,
        retry: Seconds,
        expire: Seconds,
        minttl: Seconds,
        ttl,
      }),
    ),
    dmarc: Type.Array(Text),
    bimi: Type.Array(Text),
    'mta-sts': Type.Array(Text),
    'tls-rpt': Type.Array(Text),
    acme: Type.Array(Text),
    https: Type.Array(Service),
    tlsa: Type.Array(
      Type.Object({
        usage: Type.Integer(),
        selector: Type.Integer(),
        matching_type: Type.Integer(),
        certificate: Type.String({ description: 'Hex' }),
        ttl,
      }),
    ),
    caa: Type.Array(Type.Object({ flag: Type.Integer({ description: '128: critical' }), tag: Type.String(), value: Type.String(), ttl })),
    srv: Type.Array(Type.Object({ port: Type.Integer(), priority: Type.Integer(), weight: Type.Integer(), target: Type.String(), ttl })),
    dnskey: Type.Array(
      Type.Object({
        flags: Type.Integer(),
        protocol: Type.Integer(),
        algorithm: Type.Integer(),
        public_key: Type.String({ description: 'Base64' }),
      }),
    ),
    ds: Type.Array(
      Type.Object({
        key_tag: Type.Integer(),
        algorithm: Type.Integer(),
        digest_type: Type.Integer(),
        digest: Type.String({ description: 'Hex' }),
      }),
    ),
    rrsig: Type.Array(
      Type.Object({
        type_covered: Type.String(),
        algorithm: Type.Integer(),
        labels: Type.Integer(),
        original_ttl: Seconds,
        expiration: Type.Integer({ description: 'Epoch seconds' }),
        inception: Type.Integer({ description: 'Epoch seconds' }),
        key_tag: Type.Integer(),
        signer_name: Type.String(),
        signature: Type.String({ description: 'Base64' }),
      }),
    ),
    cname: Type.Array(Target),
    ptr: Type.Array(Target),
    naptr: Type.Array(
      Type.Object({
        order: Type.Integer({ description: 'Lower comes first' }),
        preference: Type.Integer({ description: 'Among those of one order, lower is tried first' }),
        flags: Type.String(),
        services: Type.String(),
        regexp: Type.String({ description: 'In presentation form: a backslash is two' }),
        replacement: Type.String({ description: 'A dot: the regexp makes the name' }),
        ttl,
      }),
    ),
    sshfp: Type.Array(
      Type.Object({
        algorithm: Type.Integer({ description: '1 RSA, 3 ECDSA, 4 Ed25519, 6 Ed448' }),
        fingerprint_type: Type.Integer({ description: '1 SHA-1, 2 SHA-256' }),
        fingerprint: Type.String({ description: 'Hex' }),
        ttl,
      }),
    ),
    svcb: Type.Array(Service),
    uri: Type.Array(Type.Object({ priority: Type.Integer(), weight: Type.Integer(), target: Type.String(), ttl })),
    loc: Type.Array(
      Type.Object({
        latitude: Type.Number({ description: 'Degrees, north is positive' }),
        longitude: Type.Number({ description: 'Degrees, east is positive' }),
        altitude_m: Type.Number({ description: 'Above the WGS 84 ellipsoid' }),
        size_m: Type.Number({ description: 'Diameter of what stands there' }),
        horizontal_precision_m: Type.Number(),
        vertical_precision_m: Type.Number(),
        ttl,
      }),
    ),
  }),
);

/** What became of a question: only `nodata` and `nxdomain` mean that there is no such record. */
const LOOKUP_STATUSES = ['noerror', 'nodata', 'nxdomain', 'servfail', 'refused', 'timeout', 'failed'] as const;
export type LookupStatus = (typeof LOOKUP_STATUSES)[number];

export const Statuses = Type.Record(Type.String(), Enum(LOOKUP_STATUSES), {
  description: 'By key of records: an empty list means no such record only under nodata and nxdomain',
});
