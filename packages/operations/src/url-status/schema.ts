import { FINAL_STATUSES, REDIRECT_FIELDS, REDIRECT_TYPES, SLOW_MS } from '@vedette/web/redirects';
import { Attempts } from '@vedette/probes/http';
import { Enum, field, flag, HeaderLists, REASONS, schemasOf, text } from '@vedette/contract';
import { integer } from '../kit/index.ts';
import { Type } from 'typebox';
import { PageInfoReport } from '../shared/pages/html-info.ts';
import { SSL_FIELDS } from '../shared/certificates/ssl-details.ts';
import { REVOCATION_STATES } from '../shared/pages/revocation.ts';
import { DomainParts, UrlParts } from '../shared/pages/url-parts.ts';

const RedirectInfo = Type.Object(schemasOf(REDIRECT_FIELDS), {
  title: 'RedirectInfo',
  description: 'Properties of the redirect; all false without a redirect',
});

const SslDetails = Type.Object(
  {
    ...SSL_FIELDS,
    revoked: Type.Optional(
      flag("The certificate or an issuer's certificate was revoked; false if unknown. Only with check_ssl_revocation"),
    ),
    revocation: Type.Optional(
      Enum(REVOCATION_STATES, {
        description: 'Revocation state; empty if no certificate could be checked. Only with check_ssl_revocation',
      }),
    ),
    revocation_by: Type.Optional(
      Enum(['staple', 'crl', 'ocsp', ''], {
        description: 'Source of the revocation state: stapled response, revocation list or OCSP responder. Only with check_ssl_revocation',
      }),
    ),
    revocation_error: Type.Optional(
      text('Reason why the revocation state is unknown, or good without a check. Only with check_ssl_revocation'),
    ),
  },
  { title: 'SslDetails' },
);

const Link = Type.Object(
  {
    url: text('Absolute URL of the link'),
    text: text('Text of the link'),
    rel: text('`rel` attribute as written, in lower case'),
    external: flag('The link leads to another registrable domain'),
  },
  { title: 'PageLink' },
);
const Form = Type.Object(
  {
    action: text('Absolute URL that the form is sent to; empty for fields outside a form'),
    method: text('Form method: get, post or dialog; empty for fields outside a form'),
    has_password: flag('The form has a password field'),
    has_file: flag('The form has a file field'),
    external_action: flag('The form or one of its buttons submits to another registrable domain'),
    fields: Type.Array(
      Type.Object(
        { name: text('Name of the field as written'), type: text('Type of an input element, otherwise select, textarea or button') },
        { title: 'FormField' },
      ),
      { description: 'Fields of the form in page order' },
    ),
  },
  { title: 'PageForm' },
);

const FILE = {
  url: text('Absolute final URL of the icon; empty if the page has none'),
  status_code: integer('HTTP status; 0 if no response arrived'),
  content_type: text('Content type sent by the server'),
  size_bytes: integer('Number of bytes read, at most 2 MB'),
};
const FaviconDetails = Type.Object(
  {
    ...FILE,
    md5: text('MD5 of the bytes read, in hex; empty unless the status is 200'),
    mmh3: Type.Integer({
      description: 'Favicon hash for host search engines: signed MurmurHash3 of the base64 text in lines; 0 unless the status is 200',
    }),
  },
  { title: 'FaviconDetails', description: 'First icon of the page that returns status 200, otherwise /favicon.ico' },
);
const OgImageDetails = Type.Object(
  {
    ...FILE,
    width: integer('Width in pixels from the image file; 0 if unknown'),
    height: integer('Height in pixels from the image file; 0 if unknown'),
  },
  { title: 'OgImageDetails', description: 'Open Graph image of the page' },
);

/** The fields of the final hop alone. */
export const FINAL_FIELDS = {
  html_info: field(Type.Optional(PageInfoReport), 'Always there; empty strings without a page'),
  html_truncated: field(
    Type.Optional(flag('The page exceeds the reading limit, so html_info, text, links or forms may be incomplete')),
    'There is more than 2 MB, 100,000 elements, 256 levels, or the limits of links and forms below',
  ),
  body_base64: field(
    Type.Optional(text('Body of the response without its Content-Encoding; with clean_page_content, the cleaned page in UTF-8')),
  ),
  body_md5_hash_original: field(Type.Optional(text('MD5 of the body in hex, without its Content-Encoding and before cleaning'))),
  body_size_bytes: field(Type.Optional(integer('Size of the body in bytes, without its Content-Encoding and before cleaning'))),
  body_truncated: field(
    Type.Optional(flag('The body exceeded 2 MB or did not arrive in time')),
    'Hash and size are then of the bytes that were read',
  ),
  body_text: field(
    Type.Optional(text('Text of the page, one line per block')),
    'Without markup, scripts, styles and `noscript`; of a body that is not HTML the text as it is',
  ),
  favicon_details: field(Type.Optional(FaviconDetails), '`mmh3` is the hash by which search engines of hosts find it'),
  og_image_details: field(
    Type.Optional(OgImageDetails),
    'The size is that in the header of the file (PNG, JPEG, GIF, WebP, AVIF, SVG); nothing is decoded',
  ),
  links: field(Type.Optional(Type.Array(Link, { description: 'Links of the page, at most 1,000' }))),
  forms: field(
    Type.Optional(Type.Array(Form, { description: 'Forms of the page, at most 100' })),
    'Fields outside of any form are one form without `action`',
  ),
};

const Hop = Type.Object(
  {
    url: text('Absolute, normalized URL, with the fragment that a browser would keep'),
    hop: integer('Index of the hop, from 0'),
    protocol: text('HTTP version: HTTP/1.0, HTTP/1.1 or HTTP/2; empty if no response arrived'),
    status_code: integer('HTTP status; 0 if no response arrived'),
    status_message: text('Reason phrase sent by the server; for HTTP/2, the usual phrase'),
    content_type: text('Content type sent by the server'),
    can_resolve: flag('The host resolved to an address, or is an address'),
    connection_error: flag('The host resolved, but no HTTP response arrived'),
    redirected_from: Type.Optional(text('URL of the previous hop; absent on hop 0')),
    redirect_to: text('Absolute URL of the redirect target, whether or not it is followed; empty without a redirect'),
    redirect_type: Enum(REDIRECT_TYPES, { description: 'Kind of redirect, explained in docs/url-status.md; empty without a redirect' }),
    redirect_info: RedirectInfo,
    redirect_followed: flag('The next hop follows this redirect'),
    ip: text('IP address that answered; empty without a connection'),
    attempts: Attempts,
    url_parts: UrlParts,
    domain_parts: DomainParts,
    valid_ssl: Type.Optional(flag('The certificate is valid; false for http. Absent if verify_ssl is false')),
    ssl_details: Type.Optional(SslDetails),
    elapsed_ms: integer('Time from the DNS lookup to the end of the response, in ms'),
    error: text('Reason why no response arrived, for people; empty otherwise'),
    reason: Enum(['', ...Object.keys(REASONS)], {
      description: 'Reason code why no response arrived, explained in docs/reference/errors.md; empty otherwise',
    }),
    response_headers: Type.Optional(HeaderLists),
    ...schemasOf(FINAL_FIELDS),
  },
  { title: 'UrlHop' },
);

/** Report of url-status, without `elapsed_ms`. */
export const UrlStatusReport = Type.Object({
  url: text('URL from the request'),
  unwrapped_url: text(
    'Original URL behind a link rewritten by a mail gateway or similar service; the chain starts there. Empty for other URLs',
  ),
  debug_message: text('Reason why the chain stopped early; empty otherwise'),
  chain_status: Enum(['complete', 'partial'], {
    description: 'Result of the chain. complete: the last URL answered, and no redirect remains to follow',
  }),
  redirect_stats: Type.Object(
    {
      redirects_found: integer('Number of redirects, followed or not; the other counts also include both'),
      followed_redirects: integer('Number of redirects that were followed'),
      duplicate_redirects: integer(
        'Redirects to an already requested URL (loops). One return after setting a cookie, as in logins, does not count',
      ),
      http_to_https_redirects: integer('Redirects from http to https'),
      https_to_http_redirects: integer('Redirects from https to http'),
      external_redirects: integer('Redirects to another registrable domain'),
      same_origin_redirects: integer('Redirects within the same scheme, host and port'),
      cross_origin_redirects: integer('Redirects that change the scheme, host or port'),
    },
    { description: 'Redirects of the chain' },
  ),
  request_stats: Type.Object(
    {
      total_requests: integer('Number of hops; resources of the final page do not count'),
      failed_requests: integer('Requests without a response'),
      slow_requests: integer(`Requests that took more than ${SLOW_MS} ms`),
      ssl_errors: integer('Requests with a failed TLS handshake or, with verify_ssl, an invalid certificate'),
      avg_elapsed_ms: integer('Mean request time in ms, rounded'),
      max_elapsed_ms: integer('Longest request time in ms'),
    },
    { description: 'Requests of the chain' },
  ),
  chain: Type.Array(Hop, { description: 'Requested URLs in order; the last entry has html_info and the other requested additions' }),
  final_url: Type.Object(
    {
      url: text('Last URL that was requested'),
      protocol: text('HTTP version of the last hop'),
      status: Enum(FINAL_STATUSES, { description: 'Status in one word, explained in docs/url-status.md' }),
      status_code: integer('HTTP status; 0 if no response arrived'),
      status_message: text('Reason phrase of the last hop'),
    },
    { description: 'End of the chain' },
  ),
});
