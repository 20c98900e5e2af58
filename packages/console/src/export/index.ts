export { csv } from './csv.ts';
export { markdown } from './markdown.ts';
