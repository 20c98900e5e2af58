/** DNS answers as our engine gives them. Names are without the trailing dot; the root is `.`. */
export type Rcode = 'NOERROR' | 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED' | (string & {});

/** Decoded RDATA by type. Types without a shape here have `rdata` only. */
export interface RecordData {
  A: string;
  AAAA: string;
  CNAME: string;
  DNAME: string;
  NS: string;
  PTR: string;
  MX: { preference: number; exchange: string };
  /** The character strings as bytes; join them without a space. */
  TXT: Uint8Array[];
  SOA: { mname: string; rname: string; serial: number; refresh: number; retry: number; expire: number; minimum: number };
  SRV: { priority: number; weight: number; port: number; target: string };
  /** Texts in presentation form, as `TXT` is shown: a backslash is doubled, and octets outside UTF-8 are `\DDD`. */
  CAA: { flags: number; tag: string; value: string };
  NAPTR: { order: number; preference: number; flags: string; services: string; regexp: string; replacement: string };
  URI: { priority: number; weight: number; target: string };
  SSHFP: { algorithm: number; fingerprintType: number; fingerprint: Uint8Array };
  LOC: {
    /** Thousandths of a second of arc, north and east of 0° being positive. */
    latitude: number;
    longitude: number;
    /** Centimetres above the WGS 84 ellipsoid. */
    altitude: number;
    /** Centimetres. */
    size: number;
    horizontalPrecision: number;
    verticalPrecision: number;
  };
  TLSA: { usage: number; selector: number; matchingType: number; certificate: Uint8Array };
  DS: { keyTag: number; algorithm: number; digestType: number; digest: Uint8Array };
  DNSKEY: { flags: number; protocol: number; algorithm: number; publicKey: Uint8Array };
  RRSIG: {
    typeCovered: string;
    algorithm: number;
    labels: number;
    originalTtl: number;
    /** Epoch seconds. */
    expiration: number;
    inception: number;
    keyTag: number;
    signerName: string;
    signature: Uint8Array;
  };
  NSEC: { nextName: string; types: string[] };
  NSEC3: { hashAlgorithm: number; optOut: boolean; iterations: number; salt: Uint8Array; nextHash: Uint8Array; types: string[] };
  NSEC3PARAM: { hashAlgorithm: number; flags: number; iterations: number; salt: Uint8Array };
  /** `params` in RFC 9460 presentation form, such as `alpn="h3,h2" ipv4hint=192.0.2.1`. */
  HTTPS: { priority: number; target: string; params: string };
  SVCB: { priority: number; target: string; params: string };
}
export type RecordType = keyof RecordData;

interface RecordHead {
  name: string;
  /** Seconds. */
  ttl: number;
  /** RDATA with every compressed name written out and in lower case where RFC 4034 §6.2 says so: ready to hash or sign. */
  rdata: Uint8Array;
}
export type DnsRecord =
  | { [T in RecordType]: RecordHead & { type: T; data: RecordData[T] } }[RecordType]
  | (RecordHead & { type: `TYPE${number}`; data: undefined });

export type DnsRecordOf<T extends RecordType> = RecordHead & { type: T; data: RecordData[T] };

/** A key of the root zone that is trusted without further proof, as the DS that names it. */
export type TrustAnchor = RecordData['DS'];

/** A resolver's extended error of an answer (RFC 8914). */
interface ExtendedError {
  /** IANA "Extended DNS Error Codes". */
  code: number;
  /** The resolver's own words, as decoded text; often empty. */
  text: string;
}

export interface DnsAnswer {
  rcode: Rcode;
  /** Absent where there are none. */
  extendedErrors?: ExtendedError[];
  /** Authoritative answer. */
  aa: boolean;
  /** The resolver says it validated. */
  ad: boolean;
  /** Records as received, CNAME chain included. */
  answers: DnsRecord[];
  authorities: DnsRecord[];
  additionals: DnsRecord[];
  /** The server that answered, `address:port`. */
  server: string;
  /** Round trip of the try that answered. */
  rtt_ms: number;
  /** 1 unless a try went unanswered. */
  tries: number;
  /** How the answer came in the end: TC over UDP makes it tcp. */
  transport: 'udp' | 'tcp';
  /** Whether it came from our cache; its TTLs have then counted down. */
  cached: boolean;
  /** Seconds of that; absent where it did not. */
  age_s?: number;
}

/** The records of one type in the answer section, whatever their owner (a CNAME chain ends somewhere else than it starts). */
export function recordsOf<T extends RecordType>(answer: Pick<DnsAnswer, 'answers'>, type: T): DnsRecordOf<T>[] {
  return answer.answers.filter((record) => record.type === type) as unknown as DnsRecordOf<T>[];
}
