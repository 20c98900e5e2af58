/** Groups of the key exchange, by the code of IANA's registry (RFC 8446 §4.2.7, draft-ietf-tls-ecdhe-mlkem). */
export const GROUPS: readonly (readonly [code: number, name: string])[] = [
  [0x11ec, 'X25519MLKEM768'],
  [0x11eb, 'SecP256r1MLKEM768'],
  [0x11ed, 'SecP384r1MLKEM1024'],
  [0x6399, 'X25519Kyber768Draft00'],
  [0x0200, 'MLKEM512'],
  [0x0201, 'MLKEM768'],
  [0x0202, 'MLKEM1024'],
  [0x001d, 'X25519'],
  [0x0017, 'P-256'],
  [0x001e, 'X448'],
  [0x0018, 'P-384'],
  [0x0019, 'P-521'],
  [0x001f, 'brainpoolP256r1tls13'],
  [0x0020, 'brainpoolP384r1tls13'],
  [0x0021, 'brainpoolP512r1tls13'],
  [0x0100, 'ffdhe2048'],
  [0x0101, 'ffdhe3072'],
  [0x0102, 'ffdhe4096'],
  [0x0103, 'ffdhe6144'],
  [0x0104, 'ffdhe8192'],
];

/** Curves of TLS 1.2 and before, with the old ones that a server may still have. */
export const CURVES: readonly (readonly [code: number, name: string])[] = [
  [0x001d, 'X25519'],
  [0x0017, 'P-256'],
  [0x001e, 'X448'],
  [0x0018, 'P-384'],
  [0x0019, 'P-521'],
  [0x001a, 'brainpoolP256r1'],
  [0x001b, 'brainpoolP384r1'],
  [0x001c, 'brainpoolP512r1'],
  [0x0016, 'secp256k1'],
  [0x0015, 'P-224'],
  [0x0013, 'P-192'],
  [0x000e, 'sect571r1'],
  [0x000d, 'sect571k1'],
  [0x000b, 'sect409r1'],
  [0x0009, 'sect283r1'],
  [0x0006, 'sect233k1'],
];

/** Signature schemes (RFC 8446 §4.2.3), and the pairs of TLS 1.2 (RFC 5246 §7.4.1.4.1); the preferred first. */
export const SIGNATURES: readonly (readonly [code: number, name: string])[] = [
  [0x0403, 'ecdsa_secp256r1_sha256'],
  [0x0804, 'rsa_pss_rsae_sha256'],
  [0x0401, 'rsa_pkcs1_sha256'],
  [0x0807, 'ed25519'],
  [0x0503, 'ecdsa_secp384r1_sha384'],
  [0x0805, 'rsa_pss_rsae_sha384'],
  [0x0501, 'rsa_pkcs1_sha384'],
  [0x0808, 'ed448'],
  [0x0603, 'ecdsa_secp521r1_sha512'],
  [0x0806, 'rsa_pss_rsae_sha512'],
  [0x0601, 'rsa_pkcs1_sha512'],
  [0x0809, 'rsa_pss_pss_sha256'],
  [0x080a, 'rsa_pss_pss_sha384'],
  [0x080b, 'rsa_pss_pss_sha512'],
  [0x0303, 'ecdsa_sha224'],
  [0x0301, 'rsa_pkcs1_sha224'],
  [0x0203, 'ecdsa_sha1'],
  [0x0201, 'rsa_pkcs1_sha1'],
  [0x0202, 'dsa_sha1'],
  [0x0402, 'dsa_sha256'],
  [0x0101, 'rsa_pkcs1_md5'],
  [0x0904, 'mldsa44'],
  [0x0905, 'mldsa65'],
  [0x0906, 'mldsa87'],
  [0x081a, 'ecdsa_brainpoolP256r1tls13_sha256'],
  [0x081b, 'ecdsa_brainpoolP384r1tls13_sha384'],
  [0x081c, 'ecdsa_brainpoolP512r1tls13_sha512'],
];

/** Codes of signature schemes, or kinds of them. */
export type Schemes = number | readonly Schemes[];
/** Signature schemes of TLS 1.3 by the key that they need. A server without that key accepts no scheme of the kind. */
export const SCHEMES_1_3: readonly Schemes[] = [
  [0x0804, 0x0805, 0x0806],
  [0x0403, 0x0503, 0x0603],
  [
    [0x0807, 0x0808],
    [0x0809, 0x080a, 0x080b],
    [0x0904, 0x0905, 0x0906],
    [0x081a, 0x081b, 0x081c],
  ],
];

const NAMES = {
  group: new Map([...CURVES, ...GROUPS]),
  signature: new Map(SIGNATURES),
};

/** The name of a code; the code itself where we have none. */
export const nameOf = (kind: keyof typeof NAMES, code: number): string =>
  NAMES[kind].get(code) ?? `0x${code.toString(16).padStart(4, '0')}`;

export const isPostQuantum = (group: string): boolean => /MLKEM|Kyber/.test(group);
