import { ApiError, type ParsedUrl } from '@vedette/contract';
import type { Filled } from '../kit/index.ts';
import { parseProxyUrl, type Proxy } from '@vedette/probes/http';
import { readAcceptLanguage, readSecrets } from '../shared/pages/request-fields.ts';
import { unwrapRequested } from '../shared/pages/unwrapped.ts';
import { type REFERERS, type UrlStatusRequest, type USER_AGENTS } from './parameters.ts';

type Request = Filled<typeof UrlStatusRequest>;

/** The kinds of redirect to follow. */
export interface Following {
  redirects: boolean;
  external: boolean;
  meta: boolean;
  header: boolean;
  custom: boolean;
  max: number;
}

/** The optional parts of the final hop. */
export interface Wanted {
  headers: boolean;
  body: boolean;
  text: boolean;
  favicon: boolean;
  ogImage: boolean;
  links: boolean;
  forms: boolean;
  clean: boolean;
}

export interface UrlStatusQuery {
  /** The requested URL as written, its password masked. */
  requestedUrl: string;
  /** The beginning of the chain: the URL itself, or the target of a wrapped one. */
  start: ParsedUrl;
  /** Where a wrapped URL leads; empty for others. */
  unwrapped: string;
  follow: Following;
  wanted: Wanted;
  verify: boolean;
  revocation: boolean;
  agent: (typeof USER_AGENTS)[number];
  /** Sent with every request. */
  fields: Readonly<Record<string, string>>;
  /** Sent to the origin of the first URL alone. */
  credentials: Readonly<Record<string, string>>;
  connect_ms: number;
  proxy: Proxy | undefined;
  http2: boolean;
}

/** Makes the query of a request. Throws `ApiError` parameter_conflict, invalid_parameter. */
export function readQuery(request: Request, { url: target }: { url: ParsedUrl }): UrlStatusQuery {
  const { verify_ssl, check_ssl_revocation } = request;
  if (check_ssl_revocation && !verify_ssl)
    throw new ApiError('parameter_conflict', 'check_ssl_revocation requires verify_ssl', { param: 'check_ssl_revocation' });
  if (request.use_premium_proxy)
    throw new ApiError('invalid_parameter', 'use_premium_proxy: this service has no proxies of its own; custom_proxy takes one of yours', {
      param: 'use_premium_proxy',
    });
  const { requestedUrl, start, unwrapped } = unwrapRequested(request.url, target);
  return {
    requestedUrl,
    start,
    unwrapped,
    follow: {
      redirects: request.follow_redirects,
      external: request.follow_external_redirects,
      meta: request.follow_meta_redirects,
      header: request.follow_header_redirects,
      custom: request.follow_custom_redirects,
      max: request.max_redirects,
    },
    wanted: wantedOf(request),
    verify: verify_ssl,
    revocation: check_ssl_revocation,
    agent: request.user_agent,
    fields: { 'accept-language': readAcceptLanguage(request.accept_language), ...refererOf(request.referer, start) },
    credentials: credentialsOf(request),
    connect_ms: request.connect_timeout * 1_000,
    proxy: proxyOf(request.custom_proxy),
    http2: request.use_http2,
  };
}

const wantedOf = (request: Request): Wanted => ({
  headers: request.include_response_headers,
  body: request.include_response_body,
  text: request.include_response_body_text,
  favicon: request.include_favicon_details,
  ogImage: request.include_og_image_details,
  links: request.include_links,
  forms: request.include_forms,
  clean: request.clean_page_content,
});

const SEARCH_PAGES: Readonly<Record<Exclude<(typeof REFERERS)[number], 'origin'>, string>> = {
  google: 'https://www.google.com/',
  yahoo: 'https://search.yahoo.com/',
  duckduckgo: 'https://duckduckgo.com/',
  bing: 'https://www.bing.com/',
};

/** The same for every hop, as browsers keep it over redirects. Search engines let also unencrypted pages know (their policy is `origin`). */
function refererOf(word: Request['referer'], { url }: ParsedUrl): Readonly<Record<string, string>> {
  if (word === undefined) return {};
  return { referer: word === 'origin' ? `${url.origin}/` : SEARCH_PAGES[word] };
}

function credentialsOf({ basic_auth_username, basic_auth_password, authorization_bearer }: Request): Readonly<Record<string, string>> {
  if (basic_auth_username === undefined && basic_auth_password !== undefined)
    throw new ApiError('parameter_conflict', 'basic_auth_password without basic_auth_username', { param: 'basic_auth_password' });
  const { basic_auth: basic, authorization_bearer: token } = readSecrets({
    ...(basic_auth_username !== undefined && { basic_auth_username }),
    ...(basic_auth_password !== undefined && { basic_auth_password }),
    ...(authorization_bearer !== undefined && { authorization_bearer }),
  });
  if (basic) return { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` };
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function proxyOf(text: string | undefined): Proxy | undefined {
  if (text === undefined) return undefined;
  const proxy = parseProxyUrl(text);
  // The written URL holds a password, so it is not repeated.
  if (!proxy)
    throw new ApiError(
      'invalid_parameter',
      'custom_proxy must be an http://, https:// or socks5:// URL with a host, a port and optional credentials',
      {
        param: 'custom_proxy',
      },
    );
  return proxy;
}
