import { ApiError, type ParsedUrl, URL_MAX_CHARS, text } from '@vedette/contract';
import { hostParts } from '@vedette/intel/names';
import { type Static, Type } from 'typebox';

/** A URL, taken apart. */
export const UrlParts = Type.Object(
  {
    scheme: text('Scheme of the URL: https or http'),
    host: text('Host name in A-labels, or an address; an IPv6 address has no brackets'),
    host_nowww: text('Host without a leading `www.`'),
    port: Type.Integer({ description: 'Port of the URL; the default port of the scheme if the URL names none' }),
    path: text('Path of the URL, with the leading slash'),
    query: text('Query of the URL without the question mark; empty if there is none'),
  },
  { title: 'UrlParts', description: 'Parts of the URL' },
);

export const DomainParts = Type.Object(
  {
    root_domain: text('Registrable domain: the public suffix and one label; empty for a public suffix and for an address'),
    subdomain: text('Labels before the registrable domain; empty if there are none'),
    tld: text('Public suffix, such as co.uk; empty for an address'),
  },
  { title: 'DomainParts', description: 'Parts of the host name' },
);

/**
 * A target with the fragment that the client wrote, without its user name: no server is told it, but applications know their pages by it. Throws `ApiError`
 * invalid_parameter where it is longer than URLs may be, once it is encoded.
 */
export function asWritten({ url, fragment }: Pick<ParsedUrl, 'url' | 'fragment'>): string {
  const whole = `${url.href}${fragment}`;
  if (whole.length > URL_MAX_CHARS)
    throw new ApiError('invalid_parameter', `url must not have more than ${URL_MAX_CHARS} characters after encoding`, { param: 'url' });
  return whole;
}

/** The same for a browser, which reads a user name and a password as written, and sends them only to a server that asks for them. */
export const forBrowser = (target: ParsedUrl): string => withUser(asWritten(target), target.username, target.password);

/** A URL without its fragment as reports show it: with its user name, the password masked. */
export const shownTarget = ({ url, username, password }: ParsedUrl): string => withUser(url.href, username, password && '***');

const withUser = (href: string, username: string, password: string): string =>
  username === '' && password === '' ? href : href.replace('//', () => `//${username}${password && `:${password}`}@`);

/** Takes an http or https URL apart. */
export function urlParts(url: URL): Static<typeof UrlParts> {
  const scheme = url.protocol.slice(0, -1);
  const host = hostIn(url);
  return {
    scheme,
    host,
    host_nowww: withoutWww(host),
    port: url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port),
    path: url.pathname,
    query: url.search.slice(1),
  };
}

/** `www.` in front of a name that is one without. */
export const withoutWww = (host: string): string => (/^www\.[^.]+\./.test(host) ? host.slice('www.'.length) : host);

/** The registrable domain of a URL's host, and what stands around it. */
export const domainPartsOf = (url: URL): Static<typeof DomainParts> => hostParts(hostIn(url));

const hostIn = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.$/g, '');
