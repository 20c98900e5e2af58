export * from './account.ts';
export * from './errors.ts';
export * from './fields.ts';
export * from './limits.ts';
export * from './objects.ts';
export * from './reasons.ts';
