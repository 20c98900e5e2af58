import { createHash } from 'node:crypto';
import { type Certificate, type Der, oidOf, parseDer, stringOf, TAG, tagged } from '../../certificates/index.ts';
import { unpackSvg } from './svg.ts';

const LOGOTYPE = '1.3.6.1.5.5.7.1.12';
const SUBJECT_LOGO = 2;
const DIRECT = 0;

const HASHES: ReadonlyMap<string, string> = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);

/** The logo that a certificate carries. */
export interface EmbeddedLogo {
  /** Unpacked. */
  svg: Uint8Array;
  /** The certificate's own hash of it agrees. */
  hashAgrees: boolean;
}

/**
 * The first image of the subject's logo (RFC 9399 §4.1), which mark certificates carry as a `data:` URI of a gzipped SVG
 * (RFC 6170 §5). Undefined without one; `unreadable` when it is there and cannot be unpacked.
 */
export async function readLogotype({ extensions }: Certificate): Promise<EmbeddedLogo | 'unreadable' | undefined> {
  const extension = extensions.get(LOGOTYPE);
  const subjectLogo = extension && optional(parseDer(extension), SUBJECT_LOGO);
  // LogotypeData ::= SEQUENCE { image SEQUENCE OF SEQUENCE { imageDetails … } … }
  const details = optional(subjectLogo, DIRECT)?.children[0]?.children[0]?.children[0];
  const [mediaType, hashes, uris] = details?.children ?? [];
  if (!mediaType || !hashes || !uris?.children[0]) return undefined;
  const file = readDataUri(stringOf(uris.children[0]));
  if (!file) return 'unreadable';
  let svg: Uint8Array;
  try {
    svg = await unpackSvg(file);
  } catch {
    return 'unreadable'; // zlib's error: not gzip, or too large
  }
  // RFC 6170 §5.2 has the compressed file hashed; some authorities hash the SVG.
  const hashAgrees = hashes.children.some((hash) => agrees(hash, file) || agrees(hash, svg));
  return { svg, hashAgrees };
}

const optional = (der: Der | undefined, context: number): Der | undefined => der && tagged(der, context);

function readDataUri(uri: string): Buffer | undefined {
  const comma = uri.indexOf(',');
  if (!/^data:/i.test(uri) || comma < 0) return undefined;
  const content = uri.slice(comma + 1);
  if (/;\s*base64\s*$/i.test(uri.slice(0, comma))) return Buffer.from(content, 'base64');
  try {
    return Buffer.from(decodeURIComponent(content));
  } catch {
    return undefined; // percent-encoding that is not UTF-8
  }
}

/** HashAlgAndValue ::= SEQUENCE { hashAlg AlgorithmIdentifier, hashValue OCTET STRING } */
function agrees({ children: [algorithm, value] }: Der, bytes: Uint8Array): boolean {
  const name = HASHES.get(oidOf(algorithm?.children[0]));
  if (name === undefined || value?.universal !== TAG.octetString) return false;
  return createHash(name).update(bytes).digest().equals(value.contents);
}
