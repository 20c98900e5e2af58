export * from './address-class.ts';
export * from './address.ts';
export * from './dns.ts';
export * from './host.ts';
export * from './lookup.ts';
export * from './names.ts';
export * from './protected-names.ts';
export * from './vpn-exits.ts';
