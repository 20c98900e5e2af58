/** Protocols offered over TLS, by the port that they have. */
const ALPN: Readonly<Record<number, readonly string[]>> = { 443: ['h2', 'http/1.1'], 8443: ['h2', 'http/1.1'], 853: ['dot'] };

export const alpnOf = (port: number): string[] => [...(ALPN[port] ?? [])];
