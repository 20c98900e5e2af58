import { parseHost } from '@vedette/contract';
import { parse } from 'tldts';

/** An address taken apart. For a malformed address, the parts are the best guess. */
export interface EmailAddress {
  text: string;
  /** RFC 5321 §4.1.2 with the limits of §4.5.3.1, UTF-8 as RFC 6531 allows; comments and address literals are not accepted. */
  valid: boolean;
  /** The local part as written. */
  username: string;
  /** The domain in lower-case A-labels; empty when it is missing. */
  domain: string;
  rootDomain: string;
  subdomain: string;
  /** The public suffix, such as `co.uk`. */
  tld: string;
  /** Whether the suffix is one that ICANN's root knows. */
  validTld: boolean;
}

const LOCAL_MAX_OCTETS = 64;
const ADDRESS_MAX_OCTETS = 254; // RFC 5321 §4.5.3.1.3 less the angle brackets

// atext of RFC 5322 §3.2.3; everything beyond ASCII is UTF8-non-ascii of RFC 6531 §3.3, which half a surrogate pair is not.
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\ud7ff\ue000-\u{10ffff}-]+$/u;
// qtextSMTP and quoted-pairSMTP.
const QUOTED = /^"(?:[ !#-[\]-~\u0080-\ud7ff\ue000-\u{10ffff}]|\\[ -~])*"$/u;

/** Takes an address apart, without judging more than its form. */
export function parseEmail(text: string): EmailAddress {
  const at = text.lastIndexOf('@');
  const username = at < 0 ? text : text.slice(0, at);
  const host = at < 0 ? undefined : parseHost(text.slice(at + 1));
  const domain = host?.kind === 'name' ? host.host : '';
  const parts = parse(domain, { allowPrivateDomains: false, validateHostname: false });
  const octets = Buffer.byteLength(username) + 1 + domain.length;
  return {
    text,
    valid: isLocalPart(username) && domain.includes('.') && !domain.includes('_') && !text.endsWith('.') && octets <= ADDRESS_MAX_OCTETS,
    username,
    domain,
    rootDomain: parts.domain ?? '',
    subdomain: parts.subdomain ?? '',
    tld: parts.publicSuffix ?? '',
    validTld: parts.isIcann === true,
  };
}

const isLocalPart = (text: string): boolean =>
  text !== '' && Buffer.byteLength(text) <= LOCAL_MAX_OCTETS && (QUOTED.test(text) || text.split('.').every((atom) => ATOM.test(atom)));
