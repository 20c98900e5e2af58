import { type ParsedUrl, parseWebUrl, shownUrl } from '@vedette/contract';
import { unwrapAll } from '@vedette/web/links';
import { asWritten } from './url-parts.ts';

/** A requested URL, and where it leads by itself. */
export interface Requested {
  /** The URL of the request, its password masked. */
  requestedUrl: string;
  /** The text of `start`: that of the request, or of the link in it. */
  written: string;
  /** The URL itself, or the target of a wrapped one. */
  start: ParsedUrl;
  /** The target of a wrapped URL; empty for others. */
  unwrapped: string;
}

/** Takes a gateway's wrapper off a URL. Throws `ApiError` invalid_parameter for a URL that is too long once it is encoded. */
export function unwrapRequested(url: string, target: ParsedUrl): Requested {
  const { url: inner, wrappers } = unwrapAll(asWritten(target)); // some gateways wrap with a fragment
  const wrapped = wrappers.length === 0 ? undefined : parseWebUrl(inner);
  return {
    requestedUrl: shownUrl(url),
    written: wrapped ? inner : url,
    start: wrapped ?? target,
    unwrapped: wrapped ? shownUrl(inner) : '',
  };
}
