/**
 * The content of an application/pkcs7-mime that is signed, and not encrypted (RFC 8551 §3.5.2): ContentInfo, SignedData, encapContentInfo
 * (RFC 5652).
 */

interface Element {
  tag: number;
  /** Where its content stands; of one without a length, up to the end of what it is in. */
  start: number;
  end: number;
  open: boolean;
}

const [SEQUENCE, EXPLICIT_0, OID, INTEGER, SET, OCTETS, PIECES] = [0x30, 0xa0, 0x06, 0x02, 0x31, 0x04, 0x24];
const SIGNED_DATA = '2a864886f70d010702';

/** The signed entity; undefined without one, or if it is encrypted. Takes BER as well as DER. Linear, never throws. */
export function signedContent(bytes: Buffer): Buffer | undefined {
  const info = inside(bytes, { start: 0, end: bytes.length }, SEQUENCE);
  const type = info && elementAt(bytes, info.start, info.end);
  if (!type || type.tag !== OID || bytes.toString('hex', type.start, type.end) !== SIGNED_DATA) return undefined;
  const explicit = inside(bytes, { start: type.end, end: info.end }, EXPLICIT_0);
  const signed = explicit && inside(bytes, explicit, SEQUENCE);
  const version = signed && elementAt(bytes, signed.start, signed.end);
  if (!version || version.tag !== INTEGER) return undefined;
  const algorithms = elementAt(bytes, version.end, signed.end);
  if (!algorithms || algorithms.tag !== SET || algorithms.open) return undefined;
  const encapsulated = inside(bytes, { start: algorithms.end, end: signed.end }, SEQUENCE);
  const contentType = encapsulated && elementAt(bytes, encapsulated.start, encapsulated.end);
  if (!contentType || contentType.tag !== OID) return undefined;
  const content = inside(bytes, { start: contentType.end, end: encapsulated.end }, EXPLICIT_0);
  return content && octetsOf(bytes, content);
}

/** An OCTET STRING: whole, or in pieces as programs write it that do not know its length beforehand. */
function octetsOf(bytes: Buffer, within: { start: number; end: number }): Buffer | undefined {
  const whole = elementAt(bytes, within.start, within.end);
  if (whole?.tag === OCTETS) return bytes.subarray(whole.start, whole.end);
  if (whole?.tag !== PIECES) return undefined;
  const octets = Buffer.allocUnsafe(whole.end - whole.start);
  let to = 0;
  for (let piece = elementAt(bytes, whole.start, whole.end); piece?.tag === OCTETS; piece = elementAt(bytes, piece.end, whole.end))
    to += bytes.copy(octets, to, piece.start, piece.end);
  return octets.subarray(0, to);
}

function inside(bytes: Buffer, { start, end }: { start: number; end: number }, tag: number): Element | undefined {
  const element = elementAt(bytes, start, end);
  return element?.tag === tag ? element : undefined;
}

function elementAt(bytes: Buffer, at: number, limit: number): Element | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || at + 2 > limit) return undefined;
  if (first === 0x80) return { tag, start: at + 2, end: limit, open: true };
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (count > 4 || at + 2 + count > limit) return undefined;
  const start = at + 2 + count;
  const length = count === 0 ? first : bytes.readUIntBE(at + 2, count);
  // An element that is cut off is read up to the cut.
  return { tag, start, end: Math.min(start + length, limit), open: false };
}
