export * from './dns/index.ts';
export * from './http/index.ts';
export * from './limits/index.ts';
export * from './net/icmp/index.ts';
export * from './net/index.ts';
export * from './ping/index.ts';
export { probes } from './registry.ts';
export * from './vpn/index.ts';
