import { isAddress } from './domain-lists.ts';
import { isKnownName } from './text/text-urls.ts';

/**
 * Files of another host, which Windows asks for with the hash of its user's password: `file://host/…`, `file:////host/…`, `file:///\\host\…`, `\\host\share\…` and, by
 * WebDAV, `\\host@SSL@443\…`. With three slashes a file is one's own.
 */
const SHARE =
  /(?:file:(?:[/\\]{2}|[/\\]{4,5})|(?<![\w/\\:.-])\\{2}|(?<=location:)\\{2,4})([a-z\d][a-z\d.-]{2,252})(?:@ssl)?(?:@\d{1,5})?[/\\]([^\s"'<>|*?&]{0,1000})/gi;

/**
 * The files of other hosts that a text names, as `file:` URLs. A host without a dot belongs to a private network and is left out. Linear in
 * the length of the text.
 */
export function findShares(text: string): string[] {
  return Array.from(text.matchAll(SHARE), ([, host = '', path = '']) =>
    isKnownName(host) || isAddress(host) ? [`file://${host}/${path.replaceAll('\\', '/').replace(/[.,;:!)]+$/, '')}`] : [],
  ).flat();
}
