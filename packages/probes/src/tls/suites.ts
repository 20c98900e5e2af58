/** A cipher suite, with the facts that its name tells. */
export interface Suite {
  code: number;
  /** IANA name, such as `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`. */
  name: string;
  /** How keys are agreed, in the words of the name: ECDHE, DHE, ECDH, DH, RSA, with EXPORT or anon; empty in TLS 1.3. */
  exchange: string;
  /** Bits of the key of its cipher; 0 without encryption. */
  bits: number;
  forwardSecrecy: boolean;
  /** Encrypts and authenticates in one: GCM, CCM, ChaCha20-Poly1305. */
  aead: boolean;
  anonymous: boolean;
}

/** IANA's registry of TLS cipher suites, without those for keys that a stranger cannot have (PSK, SRP, Kerberos) and a few that no server has. */
const BY_EXCHANGE: Readonly<Record<string, string>> = {
  ECDHE_ECDSA: `c006 NULL_SHA, c007 RC4_128_SHA, c008 3DES_EDE_CBC_SHA, c009 AES_128_CBC_SHA, c00a AES_256_CBC_SHA, c023 AES_128_CBC_SHA256,
    c024 AES_256_CBC_SHA384, c02b AES_128_GCM_SHA256, c02c AES_256_GCM_SHA384, c05c ARIA_128_GCM_SHA256, c05d ARIA_256_GCM_SHA384,
    c072 CAMELLIA_128_CBC_SHA256, c073 CAMELLIA_256_CBC_SHA384, c086 CAMELLIA_128_GCM_SHA256, c087 CAMELLIA_256_GCM_SHA384, c0ac AES_128_CCM,
    c0ad AES_256_CCM, c0ae AES_128_CCM_8, c0af AES_256_CCM_8, cca9 CHACHA20_POLY1305_SHA256`,
  ECDHE_RSA: `c010 NULL_SHA, c011 RC4_128_SHA, c012 3DES_EDE_CBC_SHA, c013 AES_128_CBC_SHA, c014 AES_256_CBC_SHA, c027 AES_128_CBC_SHA256,
    c028 AES_256_CBC_SHA384, c02f AES_128_GCM_SHA256, c030 AES_256_GCM_SHA384, c060 ARIA_128_GCM_SHA256, c061 ARIA_256_GCM_SHA384,
    c076 CAMELLIA_128_CBC_SHA256, c077 CAMELLIA_256_CBC_SHA384, c08a CAMELLIA_128_GCM_SHA256, c08b CAMELLIA_256_GCM_SHA384,
    cca8 CHACHA20_POLY1305_SHA256`,
  DHE_RSA: `0015 DES_CBC_SHA, 0016 3DES_EDE_CBC_SHA, 0033 AES_128_CBC_SHA, 0039 AES_256_CBC_SHA, 0045 CAMELLIA_128_CBC_SHA, 0067 AES_128_CBC_SHA256,
    006b AES_256_CBC_SHA256, 0088 CAMELLIA_256_CBC_SHA, 009a SEED_CBC_SHA, 009e AES_128_GCM_SHA256, 009f AES_256_GCM_SHA384,
    00be CAMELLIA_128_CBC_SHA256, 00c4 CAMELLIA_256_CBC_SHA256, c052 ARIA_128_GCM_SHA256, c053 ARIA_256_GCM_SHA384, c07c CAMELLIA_128_GCM_SHA256,
    c07d CAMELLIA_256_GCM_SHA384, c09e AES_128_CCM, c09f AES_256_CCM, c0a2 AES_128_CCM_8, c0a3 AES_256_CCM_8, ccaa CHACHA20_POLY1305_SHA256`,
  RSA: `0001 NULL_MD5, 0002 NULL_SHA, 0004 RC4_128_MD5, 0005 RC4_128_SHA, 0007 IDEA_CBC_SHA, 0009 DES_CBC_SHA, 000a 3DES_EDE_CBC_SHA,
    002f AES_128_CBC_SHA, 0035 AES_256_CBC_SHA, 003b NULL_SHA256, 003c AES_128_CBC_SHA256, 003d AES_256_CBC_SHA256, 0041 CAMELLIA_128_CBC_SHA,
    0084 CAMELLIA_256_CBC_SHA, 0096 SEED_CBC_SHA, 009c AES_128_GCM_SHA256, 009d AES_256_GCM_SHA384, 00ba CAMELLIA_128_CBC_SHA256,
    00c0 CAMELLIA_256_CBC_SHA256, c050 ARIA_128_GCM_SHA256, c051 ARIA_256_GCM_SHA384, c07a CAMELLIA_128_GCM_SHA256, c07b CAMELLIA_256_GCM_SHA384,
    c09c AES_128_CCM, c09d AES_256_CCM, c0a0 AES_128_CCM_8, c0a1 AES_256_CCM_8`,
  DHE_DSS: `0013 3DES_EDE_CBC_SHA, 0032 AES_128_CBC_SHA, 0038 AES_256_CBC_SHA, 00a2 AES_128_GCM_SHA256`,
  ECDH_ECDSA: `c001 NULL_SHA, c002 RC4_128_SHA, c003 3DES_EDE_CBC_SHA, c004 AES_128_CBC_SHA, c005 AES_256_CBC_SHA, c025 AES_128_CBC_SHA256,
    c026 AES_256_CBC_SHA384, c02d AES_128_GCM_SHA256, c02e AES_256_GCM_SHA384`,
  ECDH_RSA: `c00b NULL_SHA, c00c RC4_128_SHA, c00d 3DES_EDE_CBC_SHA, c00e AES_128_CBC_SHA, c00f AES_256_CBC_SHA, c029 AES_128_CBC_SHA256,
    c02a AES_256_CBC_SHA384, c031 AES_128_GCM_SHA256, c032 AES_256_GCM_SHA384`,
  DH_anon: `0018 RC4_128_MD5, 001a DES_CBC_SHA, 001b 3DES_EDE_CBC_SHA, 0034 AES_128_CBC_SHA, 003a AES_256_CBC_SHA, 006c AES_128_CBC_SHA256,
    006d AES_256_CBC_SHA256, 00a6 AES_128_GCM_SHA256, 00a7 AES_256_GCM_SHA384`,
  ECDH_anon: `c015 NULL_SHA, c016 RC4_128_SHA, c017 3DES_EDE_CBC_SHA, c018 AES_128_CBC_SHA, c019 AES_256_CBC_SHA`,
  DHE_RSA_EXPORT: `0014 DES40_CBC_SHA`,
  RSA_EXPORT: `0003 RC4_40_MD5, 0006 RC2_CBC_40_MD5, 0008 DES40_CBC_SHA`,
  DH_anon_EXPORT: `0017 RC4_40_MD5, 0019 DES40_CBC_SHA`,
};
const OF_TLS_1_3 =
  '1301 AES_128_GCM_SHA256, 1302 AES_256_GCM_SHA384, 1303 CHACHA20_POLY1305_SHA256, 1304 AES_128_CCM_SHA256, 1305 AES_128_CCM_8_SHA256';

const BITS: readonly (readonly [cipher: RegExp, bits: number])[] = [
  [/^NULL/, 0],
  [/^(RC4|RC2_CBC|DES)_?40/, 40],
  [/^DES_CBC/, 56],
  [/^3DES/, 112],
  [/_256_|^CHACHA20/, 256],
];

function suiteOf(exchange: string, entry: string): Suite {
  const [code = '', rest = ''] = entry.trim().split(' ');
  const [, bits = 128] = BITS.find(([cipher]) => cipher.test(rest)) ?? [];
  return {
    code: Number.parseInt(code, 16),
    name: exchange === '' ? `TLS_${rest}` : `TLS_${exchange}_WITH_${rest}`,
    exchange,
    bits,
    forwardSecrecy: exchange === '' || /^(EC)?DHE_/.test(exchange) || exchange.includes('anon'),
    aead: /_GCM_|_CCM|POLY1305/.test(rest),
    anonymous: exchange.includes('anon'),
  };
}

const listed = (exchange: string, entries: string): Suite[] => entries.split(',').map((entry) => suiteOf(exchange, entry));

/** Weak ones behind all others, whatever the server prefers: so nothing chooses them that follows its client. */
const rankOf = ({ name, forwardSecrecy, aead }: Suite): number =>
  (weaknessOf({ name }) === undefined ? 0 : 8) + (forwardSecrecy ? 0 : 4) + (aead ? 0 : 2) + (name.includes('CHACHA') ? 1 : 0);

export type Weakness = 'anonymous' | 'null' | 'export' | 'rc4' | 'triple_des' | 'des' | 'old_cipher';

const WEAKNESSES: readonly (readonly [weakness: Weakness, name: RegExp])[] = [
  ['anonymous', /_anon_/],
  ['null', /_NULL_/],
  ['export', /_EXPORT_/],
  ['rc4', /_RC4_/],
  ['triple_des', /_3DES_/],
  ['des', /_(DES|RC2)_/],
  ['old_cipher', /_(IDEA|SEED)_/],
];

/** The reason why no client of today wants a suite; undefined for others. */
export const weaknessOf = ({ name }: Pick<Suite, 'name'>): Weakness | undefined =>
  WEAKNESSES.find(([, pattern]) => pattern.test(name))?.[0];

export const SUITES_1_3: readonly Suite[] = listed('', OF_TLS_1_3);

/** Suites of TLS 1.2 and of what was before it, in the order in which we offer them. */
export const SUITES_OLD: readonly Suite[] = Object.entries(BY_EXCHANGE)
  .flatMap(([exchange, entries]) => listed(exchange, entries))
  .toSorted((a, b) => rankOf(a) - rankOf(b));

const BY_CODE = new Map([...SUITES_1_3, ...SUITES_OLD].map((suite) => [suite.code, suite]));

/** The suite of a code; one that is not in our tables has a name that tells the code. */
export const suiteOfCode = (code: number): Suite =>
  BY_CODE.get(code) ?? {
    code,
    name: `0x${code.toString(16).padStart(4, '0')}`,
    exchange: '',
    bits: 128,
    forwardSecrecy: false,
    aead: false,
    anonymous: false,
  };

/** Suites that a version can have: AEAD and SHA-2 came with TLS 1.2 (RFC 5246), elliptic curves with extensions. */
export const isBefore1_2 = ({ name, aead }: Suite): boolean => !aead && !/_SHA(256|384)$/.test(name);
export const isForSsl3 = (suite: Suite): boolean => isBefore1_2(suite) && !suite.exchange.startsWith('ECDH');
