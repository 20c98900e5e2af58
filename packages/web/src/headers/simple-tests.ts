import { type AnswerFields, joined, valuesOf } from './evidence.ts';
import type { Result } from './results.ts';

const PRIVATE = ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'];
const UNSAFE = ['origin', 'origin-when-cross-origin', 'unsafe-url', 'no-referrer-when-downgrade'];

/** The last word that browsers know counts; that of a `meta` element comes after those of fields. */
export function judgeReferrer(fields: AnswerFields, meta: string): Result {
  const values = [...valuesOf(fields, 'referrer-policy'), ...(meta === '' ? [] : [meta])];
  if (values.length === 0) return 'referrer-policy-not-implemented';
  const words = values.join(', ').split(',').map((word) => word.trim().toLowerCase()); // prettier-ignore
  const word = words.findLast((one) => PRIVATE.includes(one) || UNSAFE.includes(one));
  if (word === undefined) return 'referrer-policy-header-invalid';
  return PRIVATE.includes(word) ? 'referrer-policy-private' : 'referrer-policy-unsafe';
}

export function judgeContentType(fields: AnswerFields): Result {
  const value = joined(fields, 'x-content-type-options').toLowerCase();
  if (value === '') return 'x-content-type-options-not-implemented';
  return value.trim() === 'nosniff' ? 'x-content-type-options-nosniff' : 'x-content-type-options-header-invalid';
}

export function judgeFraming(fields: AnswerFields, limitsFraming: boolean): Result {
  if (limitsFraming) return 'x-frame-options-implemented-via-csp';
  const value = joined(fields, 'x-frame-options').trim().toLowerCase();
  if (value === '') return 'x-frame-options-not-implemented';
  if (value === 'deny' || value === 'sameorigin') return 'x-frame-options-sameorigin-or-deny';
  return value.startsWith('allow-from') ? 'x-frame-options-allow-from-origin' : 'x-frame-options-header-invalid';
}

export function judgeResourcePolicy(fields: AnswerFields): Result {
  switch (joined(fields, 'cross-origin-resource-policy').trim().toLowerCase()) {
    case '':
      return 'corp-not-implemented';
    case 'same-site':
      return 'corp-implemented-with-same-site';
    case 'same-origin':
      return 'corp-implemented-with-same-origin';
    case 'cross-origin':
      return 'corp-implemented-with-cross-origin';
    default:
      return 'corp-header-invalid';
  }
}

/** The token of a field that is one with parameters (RFC 8941 §3.3.4); empty for anything else. */
const tokenOf = (text: string): string => /^([A-Za-z*][\w!#$%&'*+.^`|~:/-]*)\s*(?:;.*)?$/.exec(text.trim())?.[1] ?? '';

export function judgeOpenerPolicy(fields: AnswerFields): Result {
  const [value = '', ...more] = valuesOf(fields, 'cross-origin-opener-policy');
  if (value === '' && more.length === 0) return 'coop-not-implemented';
  switch (more.length === 0 ? tokenOf(value) : '') {
    case 'same-origin':
      return 'coop-implemented-with-same-origin';
    case 'same-origin-allow-popups':
      return 'coop-implemented-with-same-origin-allow-popups';
    case 'noopener-allow-popups':
      return 'coop-implemented-with-noopener-allow-popups';
    case 'unsafe-none':
      return 'coop-implemented-with-unsafe-none';
    default:
      return 'coop-header-invalid';
  }
}

export function judgeEmbedderPolicy(fields: AnswerFields): Result {
  const [value = '', ...more] = valuesOf(fields, 'cross-origin-embedder-policy');
  if (value === '' && more.length === 0) return 'coep-not-implemented';
  switch (more.length === 0 ? tokenOf(value) : '') {
    case 'require-corp':
      return 'coep-implemented-with-require-corp';
    case 'credentialless':
      return 'coep-implemented-with-credentialless';
    case 'unsafe-none':
      return 'coep-implemented-with-unsafe-none';
    default:
      return 'coep-header-invalid';
  }
}

/** Judges the answer to a preflight request from an origin that no site knows; undefined without an answer. */
export function judgeSharing(preflight: AnswerFields | undefined, origin: string): Result {
  const allowed = joined(preflight ?? [], 'access-control-allow-origin');
  if (allowed === '') return 'cross-origin-resource-sharing-not-implemented';
  if (allowed.trim() === '*') return 'cross-origin-resource-sharing-implemented-with-public-access';
  const withCookies =
    joined(preflight ?? [], 'access-control-allow-credentials')
      .trim()
      .toLowerCase() === 'true';
  return allowed === origin && withCookies
    ? 'cross-origin-resource-sharing-implemented-with-universal-access'
    : 'cross-origin-resource-sharing-implemented-with-restricted-access';
}
