export { readHtmlInfo } from './html-info.ts';
export { judgeAccess } from './judge-access.ts';
