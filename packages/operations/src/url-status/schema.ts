import { FINAL_STATUSES, REDIRECT_TYPES, SLOW_MS } from '@vedette/web/redirects';
import { Enum, HeaderLists, REASONS, flag, integer as count, text, texts } from '@vedette/contract';
import { Type } from 'typebox';
import { PageInfoReport } from '../shared/pages/html-info.ts';
import { REVOCATION_STATES } from '../shared/pages/revocation.ts';
import { DomainParts, UrlParts } from '../shared/pages/url-parts.ts';

const RedirectInfo = Type.Object(
  {
    http_to_https: flag('From http to https'),
    https_to_http: flag('From https to http'),
    non_www_to_www: flag('To the same name with www. in front'),
    www_to_non_www: flag('To the same name without it'),
    external_redirect: flag('To another registrable domain'),
    same_origin: flag('Scheme, host and port stay'),
    cross_origin: flag('One of them changes'),
    same_scheme: flag('The scheme stays'),
    same_domain: flag('The registrable domain stays'),
    same_host: flag('The host stays'),
    same_port: flag('The port stays, which the scheme may imply'),
  },
  { title: 'RedirectInfo', description: 'What the redirect changes; all false where there is none' },
);

const DistinguishedName = Type.Object(
  {
    common_name: text('CN, the most specific one; empty without'),
    organization: texts('O'),
    organizational_unit: texts('OU'),
    location: texts('L'),
    state: texts('ST'),
    country: texts('C'),
  },
  { title: 'DistinguishedName' },
);

const SslDetails = Type.Object(
  {
    certificate_found: flag('The server showed a certificate; all else is empty where it did not'),
    ssl_errors: flag('The TLS handshake failed, or its certificate is not valid'),
    name_match: flag('It is for the host of the url (RFC 9525): its common name does not count'),
    expired: flag('It has expired'),
    valid: flag('Its chain ends in a trusted root, all of it is current and strong enough, and it is for the host'),
    self_signed: flag('It is its own issuer, and its signature says so too'),
    issuer: DistinguishedName,
    subject: DistinguishedName,
    valid_from: text('YYYY-MM-DD HH:MM:SS, UTC'),
    valid_to: text('YYYY-MM-DD HH:MM:SS, UTC'),
    valid_days_left: count('Whole days until valid_to; 0 where it has expired'),
    expired_from_days: count('Whole days since valid_to; 0 where it has not expired'),
    key_size: count('Bits of the key: of the modulus, or of the curve'),
    serial_number: text('Hexadecimal'),
    fingerprint_sha1: text('Hexadecimal'),
    fingerprint_sha256: text('Hexadecimal'),
    algorithm: text('Of its signature, as OpenSSL calls it'),
    key_algorithm: text('Of its key: RSA, EC, ED25519 …'),
    type: text('EV, OV, IV or DV by the policies in it; unknown where it names none of them'),
    error: text('What is wrong with it, for people; empty where nothing is'),
    revoked: Type.Optional(flag('It, or one above it, was revoked; false where that is not known. With check_ssl_revocation only')),
    revocation: Type.Optional(
      Enum(REVOCATION_STATES, {
        description: 'Whether that is known; empty where there was nothing to look up. With check_ssl_revocation only',
      }),
    ),
    revocation_by: Type.Optional(
      Enum(['staple', 'crl', 'ocsp', ''], {
        description: 'Who said so: what the server stapled, a list, a responder. With check_ssl_revocation only',
      }),
    ),
    revocation_error: Type.Optional(text('Why it is unknown, or good though nobody was asked. With check_ssl_revocation only')),
  },
  { title: 'SslDetails' },
);

const Link = Type.Object(
  {
    url: text('Absolute'),
    text: text('What names it'),
    rel: text('As written, in lower case'),
    external: flag('To another registrable domain'),
  },
  { title: 'PageLink' },
);
const Form = Type.Object(
  {
    action: text('Where it is sent, absolute; empty for fields that stand in no form'),
    method: text('get, post or dialog; empty for fields that stand in no form'),
    has_password: flag('It asks for a password'),
    has_file: flag('It asks for a file'),
    external_action: flag('It, or one of its buttons, sends to another registrable domain'),
    fields: Type.Array(
      Type.Object(
        { name: text('As written'), type: text('Of an input its type, else select, textarea or button') },
        { title: 'FormField' },
      ),
      { description: 'What it asks for, in the order of the page' },
    ),
  },
  { title: 'PageForm' },
);

const FILE = {
  url: text('Where it was fetched in the end, absolute; empty where the page has none'),
  status_code: count('0 where no answer came'),
  content_type: text('As the server says'),
  size_bytes: count('Octets that were read, at most 2 MB'),
};
const FaviconDetails = Type.Object(
  {
    ...FILE,
    md5: text('Of those octets, in hex; empty where the status is not 200'),
    mmh3: Type.Integer({
      description:
        'Hash by which search engines of hosts find it: MurmurHash3, signed, of its base64 in lines; 0 where the status is not 200',
    }),
  },
  { title: 'FaviconDetails', description: 'The first icon of the page that answers with status 200, else /favicon.ico' },
);
const OgImageDetails = Type.Object(
  {
    ...FILE,
    width: count('Pixels, as the file says; 0 where it does not'),
    height: count('Pixels, as the file says; 0 where it does not'),
  },
  { title: 'OgImageDetails', description: 'The Open Graph image of the page' },
);

/** What the final hop alone carries. */
const FINAL = {
  html_info: Type.Optional(PageInfoReport),
  html_truncated: Type.Optional(flag('More of the page than is read: html_info, text, links or forms lack something')),
  body_base64: Type.Optional(
    text('The body of the answer, its Content-Encoding removed; with clean_page_content the cleaned page, in UTF-8'),
  ),
  body_md5_hash_original: Type.Optional(text('MD5 in hex of the body as it was read, Content-Encoding removed and nothing cleaned')),
  body_size_bytes: Type.Optional(count('Octets of that body')),
  body_truncated: Type.Optional(flag('There was more of it than 2 MB, or than came in time')),
  body_text: Type.Optional(text('What the page says, a line for each block')),
  favicon_details: Type.Optional(FaviconDetails),
  og_image_details: Type.Optional(OgImageDetails),
  links: Type.Optional(Type.Array(Link, { description: 'At most 1,000' })),
  forms: Type.Optional(Type.Array(Form, { description: 'At most 100' })),
};

const Hop = Type.Object(
  {
    url: text('Absolute, normalised, with the fragment that a browser has there'),
    hop: count('From 0'),
    protocol: text('HTTP/1.0, HTTP/1.1 or HTTP/2; empty where no answer came'),
    status_code: count('0 where no answer came'),
    status_message: text('As the server says; for HTTP/2 the usual one'),
    content_type: text('As the server says'),
    can_resolve: flag('The host has an address, or is one'),
    connection_error: flag('It has, and yet no answer came'),
    redirected_from: Type.Optional(text('URL of the hop before; absent on hop 0')),
    redirect_to: text('Where it leads, absolute, whether or not that is followed; empty where it leads nowhere'),
    redirect_type: Enum(REDIRECT_TYPES, { description: 'By what it leads there: docs/url-status.md; empty where it leads nowhere' }),
    redirect_info: RedirectInfo,
    redirect_followed: flag('The next hop is where it leads'),
    ip: text('Address that answered; empty where none was connected to'),
    url_parts: UrlParts,
    domain_parts: DomainParts,
    valid_ssl: Type.Optional(flag('The certificate is valid; false for http. Absent with verify_ssl false')),
    ssl_details: Type.Optional(SslDetails),
    elapsed_ms: count('From the look-up to the end of the answer, ms'),
    error: text('Why no answer came, for people; empty where one did'),
    reason: Enum(['', ...Object.keys(REASONS)], { description: 'The same for programs: docs/reference/errors.md; empty where one did' }),
    response_headers: Type.Optional(HeaderLists),
    ...FINAL,
  },
  { title: 'UrlHop' },
);

/** Report of url-status, without `elapsed_ms`. */
export const UrlStatusReport = Type.Object({
  url: text('As asked for'),
  unwrapped_url: text('Where a URL leads that a mail gateway or the like has rewritten: the chain begins there; empty for others'),
  debug_message: text('Why the chain stopped early; empty where it did not'),
  chain_status: Enum(['complete', 'partial'], {
    description: 'complete: the last URL answered, and nothing is left that was to be followed',
  }),
  redirect_stats: Type.Object(
    {
      redirects_found: count('Redirects, followed or not; so are those below'),
      followed_redirects: count('Those that were followed'),
      duplicate_redirects: count(
        'Those back to a URL that was asked before: a loop. One return after a cookie was set is none, as log-ins have it',
      ),
      http_to_https_redirects: count('From http to https'),
      https_to_http_redirects: count('From https to http'),
      external_redirects: count('To another registrable domain'),
      same_origin_redirects: count('Within one scheme, host and port'),
      cross_origin_redirects: count('All others'),
    },
    { description: 'Redirects of the chain' },
  ),
  request_stats: Type.Object(
    {
      total_requests: count('Hops; what the final page refers to is not counted'),
      failed_requests: count('Those without an answer'),
      slow_requests: count(`Those of more than ${SLOW_MS} ms`),
      ssl_errors: count('Those whose handshake failed or, with verify_ssl, whose certificate is not valid'),
      avg_elapsed_ms: count('Rounded'),
      max_elapsed_ms: count('Of the slowest'),
    },
    { description: 'Requests of the chain' },
  ),
  chain: Type.Array(Hop, { description: 'The URLs that were asked, in order; the last one carries html_info and what else was asked for' }),
  final_url: Type.Object(
    {
      url: text('The last URL that was asked'),
      protocol: text('As in its hop'),
      status: Enum(FINAL_STATUSES, { description: 'What it comes down to, in a word: docs/url-status.md' }),
      status_code: count('0 where no answer came'),
      status_message: text('As in its hop'),
    },
    { description: 'Where the chain ended' },
  ),
});
