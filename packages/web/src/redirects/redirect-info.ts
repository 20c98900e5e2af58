import { type Field, field, flag, judgeAll } from '@vedette/contract';
import { hostParts } from '@vedette/intel/names';

/** Both ends of a redirect, as its properties are judged by them. */
interface Ends {
  from: { scheme: string; host: string; port: string };
  to: { scheme: string; host: string; port: string };
}

interface RedirectField extends Field {
  judge(ends: Ends): boolean;
}
const property = (description: string, judge: RedirectField['judge'], note = ''): RedirectField => ({
  ...field(flag(description), note),
  judge,
});

const sameScheme = ({ from, to }: Ends): boolean => from.scheme === to.scheme;
const sameHost = ({ from, to }: Ends): boolean => from.host === to.host;
const samePort = ({ from, to }: Ends): boolean => from.port === to.port;
const sameDomain = ({ from, to }: Ends): boolean => rootOf(from.host) === rootOf(to.host);
const sameOrigin = (ends: Ends): boolean => sameScheme(ends) && sameHost(ends) && samePort(ends);

/** Properties of a redirect, all false without one. */
export const REDIRECT_FIELDS = {
  http_to_https: property('The redirect changes http to https', ({ from, to }) => from.scheme === 'http:' && to.scheme === 'https:'),
  https_to_http: property('The redirect changes https to http', ({ from, to }) => from.scheme === 'https:' && to.scheme === 'http:'),
  non_www_to_www: property('The redirect adds www. to the host name', ({ from, to }) => to.host === `www.${from.host}`),
  www_to_non_www: property('The redirect removes www. from the host name', ({ from, to }) => from.host === `www.${to.host}`),
  external_redirect: property(
    'The redirect leads to another registrable domain',
    (ends) => !sameDomain(ends),
    'As in `domain_parts`; an address is a domain',
  ),
  same_origin: property('The redirect keeps scheme, host and port', sameOrigin, 'RFC 6454 §5'),
  cross_origin: property('The redirect changes the scheme, host or port', (ends) => !sameOrigin(ends)),
  same_scheme: property('The redirect keeps the scheme', sameScheme),
  same_domain: property('The redirect keeps the registrable domain', sameDomain),
  same_host: property('The redirect keeps the host', sameHost),
  same_port: property('The redirect keeps the port, explicit or implied by the scheme', samePort),
};

export type RedirectInfo = Record<keyof typeof REDIRECT_FIELDS, boolean>;

export const NO_REDIRECT = Object.fromEntries(Object.keys(REDIRECT_FIELDS).map((name) => [name, false])) as Readonly<RedirectInfo>;

/** Compares both ends of a redirect; both are http or https URLs. */
export const redirectInfo = (from: string, to: string): RedirectInfo => judgeAll(REDIRECT_FIELDS, { from: endOf(from), to: endOf(to) });

/** The root at the end of a name makes no other host of it. */
function endOf(text: string): Ends['from'] {
  const { protocol: scheme, hostname, port } = new URL(text);
  return { scheme, host: hostname.replace(/\.$/, ''), port: port === '' ? (scheme === 'https:' ? '443' : '80') : port };
}

/** The registrable domain for reports; the host itself without one: an address, or a public suffix. */
export const rootOf = (host: string): string => hostParts(host).root_domain || host;
