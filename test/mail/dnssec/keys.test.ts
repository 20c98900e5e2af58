import { describe, expect, it } from 'vitest';
import { IANA_TRUST_ANCHORS, parseTrustAnchors } from '@vedette/mail/dnssec';
import { type Dnskey, dsMatches, unfitnessOfKey, keyTag, usableDs, verifies } from '../../../packages/mail/src/dnssec/keys.ts';
import { nameOf } from '../../../packages/mail/src/dnssec/names.ts';
import { record, Signer } from './signer.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

// RFC 4034 §5.4 and RFC 4509 §2.3
const DSKEY = record('dskey.example.com', 'DNSKEY', {
  flags: 256,
  protocol: 3,
  algorithm: 5,
  publicKey: Buffer.from(
    'AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==',
    'base64',
  ),
});

describe('key tags and DS digests', () => {
  it('RFC 4034 §5.4: the key tag of the example', () => {
    expect(keyTag(DSKEY.rdata)).toBe(60485);
  });
  it.each([
    ['RFC 4034 §5.4: SHA-1', 1, '2BB183AF5F22588179A53B0A 98631FAD1A292118'],
    ['RFC 4509 §2.3: SHA-256', 2, 'D4B7D520E7BB5F0F67674A0C CEB1E3E0614B93C4F9E99B83 83F6A1E4469DA50A'],
  ])('%s digest of the example', (_rule, digestType, digest) => {
    const ds = { keyTag: 60485, algorithm: 5, digestType, digest: hex(digest) };
    expect(dsMatches(ds, nameOf('dskey.example.com'), DSKEY)).toBe(true);
    expect(dsMatches(ds, nameOf('other.example.com'), DSKEY)).toBe(false);
    expect(dsMatches({ ...ds, keyTag: 1 }, nameOf('dskey.example.com'), DSKEY)).toBe(false);
    expect(dsMatches({ ...ds, algorithm: 8 }, nameOf('dskey.example.com'), DSKEY)).toBe(false);
    expect(dsMatches({ ...ds, digestType: 3 }, nameOf('dskey.example.com'), DSKEY)).toBe(false);
  });

  const ds = (algorithm: number, digestType: number) => ({ keyTag: 1, algorithm, digestType, digest: new Uint8Array(20) });
  it.each([
    ['RFC 4509 §3: SHA-1 is ignored beside SHA-256', [ds(13, 1), ds(13, 2)], [ds(13, 2)]],
    ['RFC 6605 §2: SHA-384 counts', [ds(13, 4)], [ds(13, 4)]],
    ['SHA-1 alone counts', [ds(13, 1)], [ds(13, 1)]],
    ['GOST does not', [ds(13, 3)], []],
    ['RFC 9905 §2: RSA/SHA-1 is unsupported', [ds(5, 2), ds(7, 2)], []],
    ['RFC 9904: DSA and RSA/MD5 are unsupported', [ds(1, 2), ds(3, 2), ds(6, 2), ds(12, 2)], []],
    ['an unsupported algorithm does not spoil a supported one', [ds(200, 2), ds(8, 2)], [ds(8, 2)]],
  ])('%s', (_rule, set, usable) => {
    expect(usableDs(set)).toEqual(usable);
  });
});

describe('zone keys', () => {
  const key = (flags: number, protocol = 3) =>
    record('example.org', 'DNSKEY', { flags, protocol, algorithm: 15, publicKey: new Uint8Array(32) });
  it.each([
    ['RFC 4034 §2.1.1: zone key', key(256), undefined],
    ['RFC 4034 §2.1.1: secure entry point', key(257), undefined],
    ['RFC 4034 §2.1.1: without the zone flag', key(1), 'lacks the flag of a zone key'],
    ['RFC 4034 §2.1.2: another protocol', key(256, 2), 'has protocol 2 instead of 3'],
    ['RFC 5011 §2.1: revoked', key(385), 'is revoked'],
  ])('%s', (_rule, dnskey, expected) => {
    expect(unfitnessOfKey(dnskey)).toBe(expected);
  });
});

describe('malformed keys and signatures', () => {
  const bytes = Buffer.from('data');
  const key = (algorithm: number, publicKey: Uint8Array): Dnskey =>
    record('example.org', 'DNSKEY', { flags: 256, protocol: 3, algorithm, publicKey });
  it.each([
    ['an empty RSA key', key(8, new Uint8Array()), 128],
    ['RSA with an exponent longer than the key', key(8, Buffer.from([255, 1, 2])), 128],
    ['RSA with a modulus of 32 bits', key(8, Buffer.from([1, 3, 1, 2, 3, 5])), 4],
    ['RSA with a modulus of 16,384 bits', key(8, Buffer.concat([Buffer.from([1, 3]), Buffer.alloc(2048, 0xa5)])), 2048],
    ['RSA with an exponent of 1024 bits', key(8, Buffer.concat([Buffer.from([0, 0, 128]), Buffer.alloc(256, 0xa5)])), 128],
    ['an even RSA modulus', key(8, Buffer.concat([Buffer.from([1, 3]), Buffer.alloc(128, 0xa4)])), 128],
    ['a P-256 point off the curve', key(13, Buffer.alloc(64, 1)), 64],
    ['a P-256 key of one octet less', key(13, Buffer.alloc(63, 1)), 64],
    ['an Ed25519 key of 31 octets', key(15, Buffer.alloc(31, 1)), 64],
    ['an Ed448 key of zeros', key(16, Buffer.alloc(57)), 114],
    ['an unsupported algorithm', key(200, Buffer.alloc(32)), 64],
  ])('%s verifies nothing', (_what, dnskey, signatureBytes) => {
    expect(verifies(dnskey, bytes, Buffer.alloc(signatureBytes, 1))).toBe(false);
  });
  it('a signature of another length verifies nothing', () => {
    expect(verifies(new Signer('example.org').dnskey, bytes, Buffer.alloc(63))).toBe(false);
  });
});

describe('trust anchors', () => {
  it('reads the DS form as IANA publishes it', () => {
    const text = [
      '. IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D ; KSK-2017',
      '',
      '.  86400 IN DS 38696 8 2 683D2D0ACB8C9B712A1948B27F741219298D0A450D612C48 3AF444A4C0FB2B16',
    ];
    expect(parseTrustAnchors(text.join('\n'))).toEqual(IANA_TRUST_ANCHORS);
  });
  it('turns the DNSKEY form into the DS that names it', () => {
    const { dnskey } = new Signer('.');
    const line = `. IN DNSKEY 257 3 15 ${Buffer.from(dnskey.data.publicKey).toString('base64')}`;
    const [anchor, ...rest] = parseTrustAnchors(line);
    expect(rest).toEqual([]);
    expect(dsMatches(anchor!, [], dnskey)).toBe(true);
  });
  it.each([
    ['another zone', 'example.org. IN DS 1 8 2 00', 1],
    ['half an octet', '. IN DS 1 8 2 000', 1],
    ['a number out of range', '. IN DS 1 8 2 00\n. IN DS 1 256 2 00', 2],
    ['another type', '; comment\n. IN TXT x', 2],
    ['base64 that is none', '. IN DNSKEY 257 3 8 !!', 1],
  ])('refuses %s and names the line', (_what, text, line) => {
    expect(() => parseTrustAnchors(text)).toThrowError(`trust anchors, line ${line}: not a DS or DNSKEY record of the root`);
  });
  it('refuses an empty file', () => {
    expect(() => parseTrustAnchors('; nothing\n')).toThrowError('trust anchors: no record in the file');
  });
});
