import type { ZoneSpec } from './zone-files.ts';

type Expected = 'secure' | 'insecure' | 'bogus';

/** One question to the zoo and the verdict that validators must reach. */
export interface Exhibit {
  what: string;
  name: string;
  type?: string;
  expected: Expected;
  code?: string;
  /**
   * Where a validator of the distribution sees it differently: BIND ignores opt-out for names that do not exist
   * (RFC 5155 §9.2 does not), unbound takes any DS digest unless told to harden, and both still validate SHA-1.
   */
  delv?: Expected;
  unbound?: Expected;
}

const isSignatureOf = (owner: string, type: string) => (line: string) =>
  line.startsWith(`${owner}.`) && new RegExp(`\\sRRSIG\\s+${type}\\s`).test(line);

const flipHex = (ds: string): string => ds.replace(/([0-9A-F])$/, (digit) => (digit === '0' ? '1' : '0'));

/** DNSKEY records of one key tag: moving an octet to another even place leaves the checksum as it is. */
function collidingKeys(zsk: string): string[] {
  const [, head, base64] = /^(.*DNSKEY 256 3 15 )(.+)$/.exec(zsk)!;
  const key = Buffer.from(base64!, 'base64');
  const swapped = (a: number, b: number) => {
    const copy = Buffer.from(key);
    copy[a] = key[b]!;
    copy[b] = key[a]!;
    return `${head}${copy.toString('base64')}`;
  };
  return Array.from({ length: 15 }, (_, i) => [swapped(0, 2 * i + 2), swapped(1, 2 * i + 3)]).flat();
}

const LABELS_70 = Array.from({ length: 70 }, (_, i) => 'abcdefghij'[i % 10]).join('.');

export const ZONES: ZoneSpec[] = [
  { name: '.' },
  { name: 'test', records: 'ns A 127.0.0.1' },
  { name: 'nsec3', nsec3: {} },
  { name: 'optout', nsec3: { optOut: true } },
  { name: 'rsa256.test', algorithm: 'RSASHA256' },
  { name: 'rsa512.test', algorithm: 'RSASHA512' },
  { name: 'p384.test', algorithm: 'ECDSAP384SHA384' },
  { name: 'ed25519.test', algorithm: 'ED25519' },
  { name: 'ed448.test', algorithm: 'ED448', ds: ({ sha384 }) => [sha384] },
  {
    name: 'good.test',
    records: [
      'tounsigned CNAME www.unsigned.test.',
      'tobogus CNAME www.tampered.test.',
      'tosecure CNAME www.ed25519.test.',
      'tonothing CNAME nothing.ed25519.test.',
      'tree DNAME empty.good.test.',
      '_sip._tcp SRV 1 2 5060 www',
      '@ CAA 0 issue "ca.example.net"',
    ].join('\n'),
  },
  { name: 'nsec3.test', nsec3: {} },
  { name: 'iterations.test', nsec3: { iterations: 150 } },
  { name: 'csk.test', combinedKey: true },
  { name: 'unsigned.test', algorithm: 'none' },
  { name: 'island.test', ds: () => [] },
  { name: 'deep.island.test' },
  { name: 'expired.test', from: '20200101000000', until: '20200201000000' },
  { name: 'future.test', from: '20900101000000', until: '20900201000000' },
  {
    name: 'tampered.test',
    edit: (lines) => lines.map((line) => (/^www\..*\sA\s+192/.test(line) ? line.replace('192.0.2.2', '192.0.2.66') : line)),
  },
  { name: 'nosignature.test', edit: (lines) => lines.filter((line) => !isSignatureOf('www.nosignature.test', 'A')(line)) },
  {
    name: 'wrongsigner.test',
    edit: (lines) =>
      lines.map((line) =>
        isSignatureOf('www.wrongsigner.test', 'A')(line) ? line.replace(/ wrongsigner\.test\. /, ' good.test. ') : line,
      ),
  },
  {
    name: 'nodenial.test',
    edit: (lines) => lines.filter((line) => line.startsWith('nodenial.test.') || !/\s(NSEC|RRSIG\s+NSEC)\s/.test(line)),
  },
  { name: 'wrongds.test', ds: ({ sha256 }) => [flipHex(sha256)] },
  { name: 'sparekey.test', ds: ({ sha256 }) => [sha256, flipHex(sha256).replace(/ DS \d+ /, ' DS 4711 ')] },
  { name: 'nokeys.test', algorithm: 'none', ds: () => [`nokeys.test. DS 4711 13 2 ${'AB'.repeat(32)}`] },
  { name: 'newalgorithm.test', algorithm: 'none', ds: () => [`newalgorithm.test. DS 4711 200 2 ${'AB'.repeat(32)}`] },
  { name: 'newdigest.test', ds: ({ sha256 }) => [sha256.replace(/ 13 2 /, ' 13 200 ')] },
  { name: 'sha1ds.test', ds: ({ sha1 }) => [sha1] },
  { name: 'downgrade.test', ds: ({ sha1, sha256 }) => [sha1, flipHex(sha256)] },
  { name: 'sha1.test', algorithm: 'RSASHA1' },
  { name: 'nsec3sha1.test', algorithm: 'NSEC3RSASHA1', nsec3: {} },
  {
    name: 'revoked.test',
    edit: (lines) => lines.map((line) => line.replace(/\sDNSKEY\s+257\s/, ' DNSKEY 385 ')),
  },
  { name: 'noflag.test', edit: (lines) => lines.map((line) => line.replace(/\sDNSKEY\s+257\s/, ' DNSKEY 1 ')) },
  {
    name: 'signer-parent.test',
    edit: (lines) =>
      lines.map((line) => (isSignatureOf('www.signer-parent.test', 'A')(line) ? line.replace(/ signer-parent\.test\. /, ' test. ') : line)),
  },
  ...['deep.test', 'deep3.test'].map((name) => ({
    name,
    ...(name === 'deep3.test' && { nsec3: {} }),
    records: `${LABELS_70}.down A 192.0.2.6\n${LABELS_70}.bare A 192.0.2.7`,
    edit: (lines: string[]) => lines.filter((line) => !isSignatureOf(`${LABELS_70}.bare.${name}`, 'A')(line)),
  })),
  {
    name: 'keytrap.test',
    algorithm: 'ED25519', // any 32 octets are a key
    moreKeys: collidingKeys,
    edit: (lines) =>
      lines.flatMap((line) => {
        if (!isSignatureOf('www.keytrap.test', 'A')(line)) return [line];
        return Array.from({ length: 30 }, (_, i) =>
          line.replace(
            /(\S{4})(\S+)$/,
            (_all, head: string, tail: string) => `${head.replace(/./, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh'[i]!)}${tail}`,
          ),
        );
      }),
  },
  { name: 'signed.optout' },
  { name: 'unsigned.optout', algorithm: 'none' },
  { name: 'signed.nsec3' },
  { name: 'unsigned.nsec3', algorithm: 'none' },
];

export const EXHIBITS: Exhibit[] = [
  { what: 'RSA/SHA-256 (8)', name: 'www.rsa256.test', expected: 'secure' },
  { what: 'RSA/SHA-512 (10)', name: 'www.rsa512.test', expected: 'secure' },
  { what: 'ECDSA P-256 (13)', name: 'www.good.test', expected: 'secure' },
  { what: 'ECDSA P-384 (14)', name: 'www.p384.test', expected: 'secure' },
  { what: 'Ed25519 (15)', name: 'www.ed25519.test', expected: 'secure' },
  { what: 'Ed448 (16), DS of SHA-384', name: 'www.ed448.test', expected: 'secure' },
  { what: 'the apex', name: 'good.test', expected: 'secure' },
  { what: 'a top-level domain', name: 'test', type: 'SOA', expected: 'secure' },
  { what: 'MX, whose RDATA holds a name', name: 'good.test', type: 'MX', expected: 'secure' },
  { what: 'TXT of two strings', name: 'good.test', type: 'TXT', expected: 'secure' },
  { what: 'NS', name: 'good.test', type: 'NS', expected: 'secure' },
  { what: 'SOA', name: 'good.test', type: 'SOA', expected: 'secure' },
  { what: 'CAA', name: 'good.test', type: 'CAA', expected: 'secure' },
  { what: 'SRV', name: '_sip._tcp.good.test', type: 'SRV', expected: 'secure' },
  { what: 'CNAME asked for itself', name: 'alias.good.test', type: 'CNAME', expected: 'secure' },
  { what: 'CNAME within the zone', name: 'alias.good.test', expected: 'secure' },
  { what: 'CNAME into another signed zone', name: 'tosecure.good.test', expected: 'secure' },
  { what: 'CNAME into an unsigned zone', name: 'tounsigned.good.test', expected: 'insecure', code: 'unsigned_delegation' },
  { what: 'CNAME into a bogus zone', name: 'tobogus.good.test', expected: 'bogus', code: 'signature_invalid' },
  { what: 'CNAME to a name that does not exist', name: 'tonothing.good.test', expected: 'secure' },
  { what: 'DNAME and the CNAME made from it', name: 'leaf.tree.good.test', expected: 'secure' },
  { what: 'wildcard', name: 'any.wild.good.test', expected: 'secure' },
  { what: 'wildcard, labels deep', name: 'a.b.c.wild.good.test', expected: 'secure' },
  { what: 'the wildcard itself', name: '*.wild.good.test', expected: 'secure' },
  { what: 'wildcard CNAME', name: 'any.wildalias.good.test', expected: 'secure' },
  { what: 'wildcard NODATA', name: 'any.wild.good.test', type: 'MX', expected: 'secure' },
  { what: 'NODATA', name: 'www.good.test', type: 'MX', expected: 'secure' },
  { what: 'NXDOMAIN', name: 'nothing.good.test', expected: 'secure' },
  { what: 'NXDOMAIN far below', name: 'a.b.c.nothing.good.test', expected: 'secure' },
  { what: 'empty non-terminal', name: 'empty.good.test', expected: 'secure' },
  { what: 'NXDOMAIN of a top-level domain', name: 'nothing', expected: 'secure' },
  { what: 'NSEC3 NODATA', name: 'www.nsec3.test', type: 'MX', expected: 'secure' },
  { what: 'NSEC3 NXDOMAIN', name: 'nothing.nsec3.test', expected: 'secure' },
  { what: 'NSEC3 NXDOMAIN far below', name: 'a.b.c.nothing.nsec3.test', expected: 'secure' },
  { what: 'NSEC3 wildcard', name: 'any.wild.nsec3.test', expected: 'secure' },
  { what: 'NSEC3 wildcard NODATA', name: 'any.wild.nsec3.test', type: 'MX', expected: 'secure' },
  { what: 'NSEC3 empty non-terminal', name: 'empty.nsec3.test', expected: 'secure' },
  { what: 'NSEC3 parent, signed child', name: 'www.signed.nsec3', expected: 'secure' },
  { what: 'NSEC3 parent, unsigned child', name: 'www.unsigned.nsec3', expected: 'insecure', code: 'unsigned_delegation' },
  { what: 'opt-out parent, signed child', name: 'www.signed.optout', expected: 'secure' },
  { what: 'opt-out parent, unsigned child', name: 'www.unsigned.optout', expected: 'insecure', code: 'opt_out' },
  { what: 'NXDOMAIN in an opt-out span', name: 'nothing.optout', expected: 'insecure', code: 'opt_out', delv: 'secure' },
  { what: 'as many NSEC3 iterations as are allowed', name: 'nothing.iterations.test', expected: 'secure' },
  { what: 'one key for everything', name: 'www.csk.test', expected: 'secure' },
  { what: 'a DS for a key not there yet', name: 'www.sparekey.test', expected: 'secure' },
  { what: 'unsigned zone', name: 'www.unsigned.test', expected: 'insecure', code: 'unsigned_delegation' },
  { what: 'NXDOMAIN in an unsigned zone', name: 'nothing.unsigned.test', expected: 'insecure', code: 'unsigned_delegation' },
  { what: 'island: signed, no DS', name: 'www.island.test', expected: 'insecure', code: 'unsigned_delegation' },
  { what: 'signed below an island', name: 'www.deep.island.test', expected: 'insecure', code: 'unsigned_delegation' },
  { what: 'unknown algorithm in the DS', name: 'www.newalgorithm.test', expected: 'insecure', code: 'unsupported_algorithm' },
  { what: 'unknown digest in the DS', name: 'www.newdigest.test', expected: 'insecure', code: 'unsupported_digest' },
  { what: 'DS of SHA-1 alone', name: 'www.sha1ds.test', expected: 'secure' },
  {
    what: 'right DS of SHA-1 beside a wrong one of SHA-256',
    name: 'www.downgrade.test',
    expected: 'bogus',
    code: 'no_trusted_key',
    unbound: 'secure',
  },
  { what: 'expired', name: 'www.expired.test', expected: 'bogus', code: 'signature_expired' },
  { what: 'not yet valid', name: 'www.future.test', expected: 'bogus', code: 'signature_not_yet_valid' },
  { what: 'tampered data', name: 'www.tampered.test', expected: 'bogus', code: 'signature_invalid' },
  { what: 'other data of the tampered zone', name: 'mail.tampered.test', expected: 'secure' },
  { what: 'signature left out', name: 'www.nosignature.test', expected: 'bogus', code: 'missing_signature' },
  { what: 'signed by a sister zone', name: 'www.wrongsigner.test', expected: 'bogus', code: 'wrong_signer' },
  { what: 'NXDOMAIN without proof', name: 'nothing.nodenial.test', expected: 'bogus', code: 'missing_denial' },
  { what: 'wildcard without proof', name: 'any.wild.nodenial.test', expected: 'bogus', code: 'missing_denial' },
  { what: 'DS that names no key', name: 'www.wrongds.test', expected: 'bogus', code: 'no_trusted_key' },
  { what: 'DS but no DNSKEY', name: 'www.nokeys.test', expected: 'bogus', code: 'no_trusted_key' },
  { what: 'the named key is revoked', name: 'www.revoked.test', expected: 'bogus', code: 'unfit_key' },
  { what: 'the named key has no zone flag', name: 'www.noflag.test', expected: 'bogus', code: 'unfit_key' },
  { what: "the signer's name is the parent's", name: 'www.signer-parent.test', expected: 'bogus', code: 'wrong_signer' },
  { what: '70 labels below the apex', name: `${LABELS_70}.down.deep.test`, expected: 'secure' },
  { what: '70 labels below the apex, unsigned', name: `${LABELS_70}.bare.deep.test`, expected: 'bogus', code: 'missing_signature' },
  {
    what: '70 labels below the apex of NSEC3, unsigned',
    name: `${LABELS_70}.bare.deep3.test`,
    expected: 'bogus',
    code: 'missing_signature',
  },
  {
    what: '70 labels below an unsigned delegation',
    name: `${LABELS_70}.wild.unsigned.test`,
    expected: 'insecure',
    code: 'unsigned_delegation',
  },
  { what: 'RSA/SHA-1 (5)', name: 'www.sha1.test', expected: 'insecure', code: 'unsupported_algorithm', delv: 'secure', unbound: 'secure' },
  {
    what: 'RSA/SHA-1 with NSEC3 (7)',
    name: 'www.nsec3sha1.test',
    expected: 'insecure',
    code: 'unsupported_algorithm',
    delv: 'secure',
    unbound: 'secure',
  },
  { what: '30 signatures by 31 keys of one tag (KeyTrap)', name: 'www.keytrap.test', expected: 'bogus', code: 'validation_limit' },
];
