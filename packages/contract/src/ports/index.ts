export * from './address-policy.ts';
export * from './passive-dns.ts';
export * from './ports.ts';
export * from './probe.ts';
export * from './render.ts';
export * from './status.ts';
