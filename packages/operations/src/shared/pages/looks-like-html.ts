import { headerValues, type HttpHead, type Page } from '@vedette/probes/http';

/** Whether a file is a page, as browsers sniff (WHATWG MIME Sniffing §7): by its type, and without one by its beginning. */
export function looksLikeHtml(head: Pick<HttpHead, 'headers'>, { text }: Pick<Page, 'text'>): boolean {
  const type = headerValues(head, 'content-type')[0]?.toLowerCase() ?? '';
  return (
    /^\s*(?:text\/html|application\/xhtml\+xml)\b/.test(type) ||
    (type.trim() === '' && /^\s*<(?:!doctype|html|head|body|title|!--|h1|p|a|div|script|table)\b/i.test(text.slice(0, 1_000)))
  );
}
