export { openDatasets } from './datasets.ts';
export { Documents } from './documents.ts';

/** The module of what makes files into snapshots, for the thread of `openBuilder`. */
export const DATASET_BUILDERS = new URL('./dataset-builders.ts', import.meta.url);
