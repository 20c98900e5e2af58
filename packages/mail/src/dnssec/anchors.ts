import { createHash } from 'node:crypto';
import type { TrustAnchor } from '@vedette/contract';
import { keyTag } from './keys.ts';

/** The root's key signing keys of 2017 and 2024, from https://data.iana.org/root-anchors/. The first leaves the root zone after October 2026. */
export const IANA_TRUST_ANCHORS: readonly TrustAnchor[] = [
  {
    keyTag: 20326,
    algorithm: 8,
    digestType: 2,
    digest: Buffer.from('E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D', 'hex'),
  },
  {
    keyTag: 38696,
    algorithm: 8,
    digestType: 2,
    digest: Buffer.from('683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16', 'hex'),
  },
];

const LINE = /^\.\s+(?:\d+\s+)?(?:IN\s+)?(DS|DNSKEY)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S.*)$/i;

/**
 * Reads anchors of the root in zone-file form, one DS or DNSKEY record a line; `;` starts a comment. Throws with the number of an invalid
 * line, and for a file without anchors.
 */
export function parseTrustAnchors(text: string): TrustAnchor[] {
  const anchors = text.split('\n').flatMap((line, i) => {
    const record = line.replace(/;.*/, '').trim();
    if (record === '') return [];
    const anchor = parseAnchor(record);
    if (!anchor) throw new Error(`trust anchors, line ${i + 1}: not a DS or DNSKEY record of the root`);
    return [anchor];
  });
  if (anchors.length === 0) throw new Error('trust anchors: no record in the file');
  return anchors;
}

function parseAnchor(record: string): TrustAnchor | undefined {
  const [, type, first, second, third, rest] = LINE.exec(record) ?? [];
  if (type === undefined) return undefined;
  const [a, b, c] = [Number(first), Number(second), Number(third)];
  const octets = rest!.replace(/\s+/g, '');
  if (a > 0xffff || b > 0xff || c > 0xff) return undefined;
  if (type.toUpperCase() === 'DS') {
    if (!/^([0-9a-f]{2})+$/i.test(octets)) return undefined;
    return { keyTag: a, algorithm: b, digestType: c, digest: Buffer.from(octets, 'hex') };
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(octets)) return undefined;
  const rdata = Buffer.concat([Buffer.from([a >> 8, a & 0xff, b, c]), Buffer.from(octets, 'base64')]);
  const digest = createHash('sha256')
    .update(Buffer.from([0]))
    .update(rdata)
    .digest(); // the root's name is one zero octet
  return { keyTag: keyTag(rdata), algorithm: c, digestType: 2, digest };
}
