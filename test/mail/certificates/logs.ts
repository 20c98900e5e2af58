import { createHash, createPrivateKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';

/** A log of tests, with its key. */
export interface TestLog {
  id: Buffer;
  /** Its entry in a list of logs, version 3. */
  entry: object;
  /** An SCT of this log about an entry of RFC 6962 §3.1, a minute old: OpenSSL refuses one of the same second. */
  promise(entry: Uint8Array, at?: Date): Buffer;
  /** SubjectPublicKeyInfo in base64. */
  key: string;
  operator: string;
}

export interface TestLogOptions {
  operator?: string;
  state?: string;
  since?: string;
  rsa?: boolean;
}

const u16 = (value: number) => Buffer.of(value >> 8, value & 0xff);
const u64 = (value: number) => {
  const octets = Buffer.alloc(8);
  octets.writeBigUInt64BE(BigInt(value));
  return octets;
};

/** Makes a log with a new key. */
export function testLog(
  name: string,
  { operator = 'One', state = 'usable', since = '2025-01-01T00:00:00Z', rsa = false }: TestLogOptions = {},
): TestLog {
  const { publicKey, privateKey } = rsa ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: 'P-256' }); // prettier-ignore
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const id = createHash('sha256').update(spki).digest();
  const key = spki.toString('base64');
  return {
    id,
    key,
    operator,
    entry: {
      description: name,
      log_id: id.toString('base64'),
      key,
      url: `https://${name}.test/`,
      mmd: 86_400,
      state: { [state]: { timestamp: since } },
    },
    promise(entry, at = new Date(Date.now() - 60_000)) {
      const time = u64(at.getTime());
      const signature = sign('sha256', Buffer.concat([Buffer.of(0, 0), time, entry, u16(0)]), privateKey);
      return Buffer.concat([Buffer.of(0), id, time, u16(0), u16(rsa ? 0x0401 : 0x0403), u16(signature.length), signature]);
    },
  };
}

/** A list of logs as Google publishes it, version 3. */
export function logListText(logs: readonly TestLog[], published: Date = new Date()): string {
  const operators = [...new Set(logs.map(({ operator }) => operator))];
  return JSON.stringify({
    version: '60.1',
    log_list_timestamp: `${published.toISOString().slice(0, 19)}Z`,
    operators: operators.map((name) => ({
      name,
      email: ['logs@example.org'],
      logs: logs.filter(({ operator }) => operator === name).map(({ entry }) => entry),
      tiled_logs: [],
    })),
  });
}

/** SignedCertificateTimestampList of RFC 6962 §3.3. */
export function sctList(scts: readonly Uint8Array[]): Buffer {
  const all = Buffer.concat(scts.map((sct) => Buffer.concat([u16(sct.length), sct])));
  return Buffer.concat([u16(all.length), all]);
}

const vector24 = (octets: Uint8Array) => Buffer.concat([Buffer.of(octets.length >> 16), u16(octets.length & 0xffff), octets]);

/** Entries of a certificate as RFC 6962 §3.1 has them; `bare` has no SCTs yet. */
export const x509Entry = (certificate: X509Certificate) => Buffer.concat([u16(0), vector24(certificate.raw)]);
export function precertEntry(bare: X509Certificate, issuer: X509Certificate): Buffer {
  const keyHash = createHash('sha256')
    .update(issuer.publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
  return Buffer.concat([u16(1), keyHash, vector24(partsOf(partsOf(bare.raw)[0]!.contents)[0]!.encoded)]);
}

interface Part {
  tag: number;
  contents: Buffer;
  encoded: Buffer;
}

/** The DER values that stand one behind another. */
function partsOf(octets: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < octets.length;) {
    const first = octets[at + 1]!;
    const more = first < 0x80 ? 0 : first & 0x7f;
    const length = more === 0 ? first : octets.readUIntBE(at + 2, more);
    const start = at + 2 + more;
    parts.push({ tag: octets[at]!, contents: octets.subarray(start, start + length), encoded: octets.subarray(at, start + length) });
    at = start + length;
  }
  return parts;
}

function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length < 0x80 ? Buffer.of(content.length) : content.length < 0x100 ? Buffer.of(0x81, content.length) : Buffer.concat([Buffer.of(0x82), u16(content.length)]); // prettier-ignore
  return Buffer.concat([Buffer.of(tag), length, content]);
}

const SCT_LIST_OID = Buffer.from('060a2b06010401d679020402', 'hex');

/** The certificate with a list of SCTs as its last extension, signed again by its issuer: ECDSA with SHA-256. */
export function withSctList(bare: X509Certificate, issuerKey: string, list: Uint8Array): X509Certificate {
  const [tbs, algorithm] = partsOf(partsOf(bare.raw)[0]!.contents) as [Part, Part];
  const extension = der(0x30, SCT_LIST_OID, der(0x04, der(0x04, list)));
  const fields = partsOf(tbs.contents).map(({ tag, contents, encoded }) =>
    tag === 0xa3 ? der(0xa3, der(0x30, partsOf(contents)[0]!.contents, extension)) : encoded,
  );
  const signed = der(0x30, ...fields);
  const signature = sign('sha256', signed, createPrivateKey(issuerKey));
  return new X509Certificate(der(0x30, signed, algorithm.encoded, der(0x03, Buffer.of(0), signature)));
}

const STAPLED_SCT_LIST_OID = Buffer.from('060a2b06010401d679020405', 'hex');

/** An OCSP response with a list of SCTs in its first status; its own signature does not hold any more. */
export function withStapledScts(response: Uint8Array, list: Uint8Array): Buffer {
  const rebuilt = ({ tag, contents, encoded }: Part, path: readonly number[]): Buffer => {
    const [at, ...further] = path;
    if (at === undefined) return der(tag, contents, der(0xa1, der(0x30, der(0x30, STAPLED_SCT_LIST_OID, der(0x04, der(0x04, list))))));
    return at < 0 ? encoded : der(tag, ...partsOf(contents).map((part, i) => (i === at ? rebuilt(part, further) : part.encoded)));
  };
  // OCSPResponse, responseBytes, ResponseBytes, OCTET STRING, BasicOCSPResponse, ResponseData, responses (behind name and time), the first.
  return rebuilt(partsOf(Buffer.from(response))[0]!, [1, 0, 1, 0, 0, 2, 0]);
}
