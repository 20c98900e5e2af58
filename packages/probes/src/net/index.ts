export * from './ca.ts';
export * from './clock.ts';
export * from './dialler.ts';
export * from './own-addresses.ts';
