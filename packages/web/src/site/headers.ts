import { type ContentPolicy, readContentPolicy } from './csp.ts';
import type { PageFacts } from './visit/page-facts.ts';

/** Fields of an answer in the order received: lower-case names, each value on its own. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** The values of one field, in order. */
export const valuesOf = (fields: Fields, name: string): string[] => fields.flatMap(([key, value]) => (key === name ? [value] : []));

/** A server's headers on the handling of its pages, read as Mozilla's HTTP Observatory does. */
export interface HeaderFacts {
  csp: ContentPolicy;
  /** Strict-Transport-Security with a life (RFC 6797 §6.1.1); of several fields the first counts (§8.1). */
  hsts: boolean;
  /** The last token of Referrer-Policy that is one (Referrer Policy §8.1), or of the page's `meta`; empty without. */
  referrerPolicy: string;
  contentTypeOptions: boolean;
  frameOptions: boolean;
  xssProtection: boolean;
  permissionsPolicy: boolean;
  cookies: readonly SetCookie[];
  serverVersion: boolean;
  poweredBy: boolean;
  aspNetVersion: boolean;
  /** X-Robots-Tag keeps the page out of search engines. */
  noIndex: boolean;
}

export interface SetCookie {
  name: string;
  secure: boolean;
}

const REFERRER_POLICIES = new Set([
  'no-referrer',
  'no-referrer-when-downgrade',
  'same-origin',
  'origin',
  'strict-origin',
  'origin-when-cross-origin',
  'strict-origin-when-cross-origin',
  'unsafe-url',
]);

export function readHeaders(fields: Fields, page: Pick<PageFacts, 'metaCsp' | 'metaReferrer'>): HeaderFacts {
  const of = (name: string): string[] => valuesOf(fields, name);
  const said = (name: string): boolean => of(name).some((value) => value !== '');
  const csp = readContentPolicy(of('content-security-policy'), page.metaCsp);
  const frames = of('x-frame-options').map((value) => value.trim().toLowerCase());
  return {
    csp,
    hsts: maxAgeOf(of('strict-transport-security')[0] ?? '') > 0,
    referrerPolicy: lastPolicy(of('referrer-policy')) || lastPolicy([page.metaReferrer]),
    contentTypeOptions: of('x-content-type-options')[0]?.split(',')[0]?.trim().toLowerCase() === 'nosniff',
    frameOptions: csp.limitsFraming || frames.some((value) => value === 'deny' || value === 'sameorigin'),
    xssProtection: of('x-xss-protection').some((value) => /^\s*[01]/.test(value)),
    permissionsPolicy: of('permissions-policy').some((value) => /[a-z]\s{0,9}=/.test(value)),
    cookies: of('set-cookie').flatMap(readCookie),
    serverVersion: of('server').some((value) => /\/v?\d+\.\d/.test(value)),
    poweredBy: said('x-powered-by'),
    aspNetVersion: said('x-aspnet-version') || said('x-aspnetmvc-version'),
    noIndex: of('x-robots-tag').some(forbidsIndexing),
  };
}

function maxAgeOf(field: string): number {
  const directive = field.split(';').find((part) => /^\s*max-age\s*=/i.test(part));
  const digits = /=\s*"?(\d{1,15})"?\s*$/.exec(directive ?? '')?.[1];
  return digits === undefined ? 0 : Number(digits);
}

const lastPolicy = (values: readonly string[]): string =>
  values
    .flatMap((value) => value.toLowerCase().split(','))
    .map((token) => token.trim())
    .findLast((token) => REFERRER_POLICIES.has(token)) ?? '';

/** The name before the first `=`, and whether an attribute of its own is Secure (RFC 6265 §5.2): `x=secure` is a value. */
function readCookie(text: string): SetCookie[] {
  const [pair = '', ...attributes] = text.split(';');
  const name = pair.slice(0, Math.max(0, pair.indexOf('='))).trim();
  return name === '' ? [] : [{ name, secure: attributes.some((attribute) => /^\s*secure\s*(?:=|$)/i.test(attribute)) }];
}

/** `noindex` or `none`, for all robots: what is for one robot by name says nothing of the others. */
export function forbidsIndexing(directives: string): boolean {
  const words = directives
    .toLowerCase()
    .split(',')
    .map((word) => word.trim());
  return words.some((word) => word === 'noindex' || word === 'none');
}
