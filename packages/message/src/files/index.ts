export { type Described, describeFile, type Extracted, type ExtractedFile, type FileFields, type FileToDescribe } from './describe.ts';
export { isRiskyExtension } from './extensions.ts';
export type { FileKind } from './kinds.ts';
export { kindByMagic } from './magic.ts';
export { FileQuota } from './archives/quota.ts';
export { readTnef, type Tnef } from './documents/tnef.ts';
