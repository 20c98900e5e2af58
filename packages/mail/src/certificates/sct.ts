import type { Certificate } from './certificate.ts';
import { parseDer, TAG } from './der.ts';

/** A promise of a log to list the certificate (RFC 6962 §3.2). Its signature is not verified. */
export interface Sct {
  /** SHA-256 of the log's key. */
  logId: Buffer;
  timestamp: Date;
}

const SCT_LIST = '1.3.6.1.4.1.11129.2.4.2';
/** The certificate is what an authority shows logs before it issues the real one (RFC 6962 §3.1). */
const POISON = '1.3.6.1.4.1.11129.2.4.3';
const SCTS_MAX = 16;
/** Version, log, time. */
const FIXED_OCTETS = 41;

export const isPrecertificate = ({ extensions }: Pick<Certificate, 'extensions'>): boolean => extensions.has(POISON);

/** The SCTs in a certificate; those that a server sends by TLS or in an OCSP response are not among them. Undefined for a list that is not one. */
export function sctsOf({ extensions }: Pick<Certificate, 'extensions'>): Sct[] | undefined {
  const extension = extensions.get(SCT_LIST);
  if (!extension) return [];
  const value = parseDer(extension);
  if (value?.universal !== TAG.octetString) return undefined;
  const list = Buffer.from(value.contents);
  if (list.length < 2 || list.readUInt16BE(0) !== list.length - 2) return undefined;
  const scts: Sct[] = [];
  for (let at = 2; at < list.length && scts.length < SCTS_MAX;) {
    if (at + 2 > list.length) return undefined;
    const end = at + 2 + list.readUInt16BE(at);
    if (end > list.length) return undefined;
    const sct = readSct(list.subarray(at + 2, end));
    if (!sct) return undefined;
    scts.push(sct);
    at = end;
  }
  return scts;
}

function readSct(octets: Buffer): Sct | undefined {
  if (octets.length < FIXED_OCTETS + 2 || octets[0] !== 0) return undefined;
  const extensionsEnd = FIXED_OCTETS + 2 + octets.readUInt16BE(FIXED_OCTETS);
  if (octets.length < extensionsEnd + 4) return undefined;
  const signatureEnd = extensionsEnd + 4 + octets.readUInt16BE(extensionsEnd + 2);
  if (octets.length !== signatureEnd) return undefined;
  return {
    logId: octets.subarray(1, 33),
    timestamp: new Date(Number(octets.readBigUInt64BE(33))),
  };
}
