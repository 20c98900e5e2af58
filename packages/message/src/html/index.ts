export { type HtmlListener, type StartTag, walkHtml } from './walk.ts';
