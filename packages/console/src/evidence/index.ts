export { groundsOf } from './factors.ts';
export { filesOf } from './files.ts';
export { lanesOf } from './requests.ts';
export { summaryOf } from './summary.ts';
