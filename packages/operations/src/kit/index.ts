export * from './central-ports.ts';
export * from './defaults.ts';
export * from './file-bytes.ts';
export * from './issuer-answers.ts';
export * from './objects.ts';
export * from './operation.ts';
export * from './owner.ts';
export * from './targets.ts';
