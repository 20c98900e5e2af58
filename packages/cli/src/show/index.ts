export { LiveLines, type Terminal } from './live.ts';
export { cut, printable, printableJson, widthOf } from './printable.ts';
export { reportLines } from './report.ts';
