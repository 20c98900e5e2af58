import { Enum } from '@vedette/contract';
import { HttpUrl, Defaulted, Flag } from '../kit/index.ts';
import { Type } from 'typebox';
import { AcceptLanguage } from '../shared/pages/request-fields.ts';

export const USER_AGENTS = ['desktop', 'desktop-firefox', 'desktop-chrome', 'desktop-edge', 'mobile'] as const;
export const REFERERS = ['origin', 'google', 'yahoo', 'duckduckgo', 'bing'] as const;
const PRINTABLE = '^[ -~]*$';

/** The parameters of url-status. */
export const UrlStatusRequest = Type.Object(
  {
    url: HttpUrl(),
    follow_redirects: Flag(true, 'Follows redirects; redirects that are not followed are still reported'),
    follow_external_redirects: Flag(true, 'Follows redirects to other registrable domains'),
    follow_meta_redirects: Flag(false, 'Follows `meta http-equiv=refresh` with a delay of at most 30 s'),
    follow_header_redirects: Flag(false, 'Follows `Refresh` headers with a delay of at most 30 s'),
    follow_custom_redirects: Flag(
      false,
      'Follows warning pages that sites show before a link to another site; docs/url-status.md lists them',
    ),
    max_redirects: Defaulted(
      Type.Integer({
        minimum: 0,
        maximum: 10,
        examples: [5],
        description: 'Maximum number of redirects to follow',
      }),
      10,
    ),
    verify_ssl: Flag(true, 'Checks the certificate of each hop and reports its fields. An invalid certificate never stops the chain'),
    check_ssl_revocation: Flag(false, 'Asks the issuers whether certificates are revoked; requires verify_ssl'),
    user_agent: Defaulted(
      Enum(USER_AGENTS, {
        examples: ['mobile'],
        description: "Browser that the requests imitate; the service's own name is appended",
      }),
      'desktop',
    ),
    referer: Type.Optional(
      Enum(REFERERS, {
        examples: ['google'],
        description: "Origin of the visit in the Referer header: the site's own front page, or a search engine",
      }),
    ),
    accept_language: AcceptLanguage(),
    basic_auth_username: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        pattern: '^[ -9;-~]+$',
        examples: ['user'],
        description: 'User name in printable ASCII without a colon; sent only to the origin of `url`',
      }),
    ),
    basic_auth_password: Type.Optional(
      Type.String({ maxLength: 1_000, pattern: PRINTABLE, examples: ['secret'], description: 'Password in printable ASCII' }),
    ),
    authorization_bearer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8_192,
        examples: ['mF_9.B5f-4.1JqM'],
        description: 'Bearer token (RFC 6750), sent only to the origin of `url`; cannot be combined with basic_auth_username',
      }),
    ),
    connect_timeout: Defaulted(
      Type.Integer({
        minimum: 1,
        maximum: 15,
        examples: [5],
        description: 'Seconds allowed for the DNS lookup and connection of each URL, including TLS',
      }),
      10,
    ),
    include_response_headers: Flag(false, 'Adds response_headers to every hop'),
    include_response_body: Flag(false, 'Adds body_base64, body_md5_hash_original, body_size_bytes and body_truncated to the final hop'),
    include_response_body_text: Flag(false, 'Adds body_text to the final hop'),
    include_favicon_details: Flag(false, 'Fetches the icon of the final page and adds favicon_details'),
    include_og_image_details: Flag(false, 'Fetches the Open Graph image of the final page and adds og_image_details'),
    include_links: Flag(false, 'Adds links to the final hop'),
    include_forms: Flag(false, 'Adds forms to the final hop'),
    clean_page_content: Flag(false, 'Removes navigation, consent banners and similar parts from body_text, links and body_base64'),
    custom_proxy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        examples: ['socks5://user:password@proxy.example.org:1080'],
        description: 'Your own proxy for all requests: http://, https:// or socks5://. The proxy receives IP addresses, not names',
      }),
    ),
    use_premium_proxy: Flag(false, 'The service has no proxies of its own, so true is refused'),
    use_http2: Flag(false, 'Uses HTTP/2 if the server supports it, otherwise HTTP/1.1'),
  },
  { additionalProperties: false },
);
