export { htmlOf } from './html-of.ts';
export { openPage } from './open-page.ts';
