export { csv } from './csv.ts';
export type { Asked } from './facts.ts';
export { markdown } from './markdown.ts';
export { misp } from './misp.ts';
export { indicatorRows, sittingCsv, sittingJson, sittingMarkdown } from './sitting.ts';
export { stix } from './stix.ts';
export { uuid5 } from './uuid.ts';
