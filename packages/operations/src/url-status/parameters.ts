import { Enum, HttpUrl } from '@vedette/contract';
import { Type } from 'typebox';
import { AcceptLanguage } from '../shared/pages/request-fields.ts';

export const MAX_REDIRECTS = 10;
export const CONNECT_TIMEOUT = { default: 10, max: 15 } as const;
export const USER_AGENTS = ['desktop', 'desktop-firefox', 'desktop-chrome', 'desktop-edge', 'mobile'] as const;
export const REFERERS = ['origin', 'google', 'yahoo', 'duckduckgo', 'bing'] as const;
const PRINTABLE = '^[ -~]*$';

const flag = (defaultValue: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: defaultValue, examples: [!defaultValue], description }));

/** What a client may ask of url-status. */
export const UrlStatusRequest = Type.Object(
  {
    url: HttpUrl(),
    follow_redirects: flag(true, 'Follow redirects at all; those that are not followed are shown all the same'),
    follow_external_redirects: flag(true, 'Follow those to other registrable domains'),
    follow_meta_redirects: flag(false, 'Follow `meta http-equiv=refresh` of at most 30 s'),
    follow_header_redirects: flag(false, 'Follow `Refresh` headers of at most 30 s'),
    follow_custom_redirects: flag(false, 'Follow what sites show before a link leads out of them; docs/url-status.md lists them'),
    max_redirects: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_REDIRECTS,
        default: MAX_REDIRECTS,
        examples: [5],
        description: 'Redirects that are followed',
      }),
    ),
    verify_ssl: flag(true, 'Tell of each hop whether its certificate is valid, and what is in it. An invalid one never stops the chain'),
    check_ssl_revocation: flag(false, 'Ask the issuers whether certificates were revoked; needs verify_ssl'),
    user_agent: Type.Optional(
      Enum(USER_AGENTS, {
        default: 'desktop',
        examples: ['mobile'],
        description: 'Browser that requests look like, with our own name at the end',
      }),
    ),
    referer: Type.Optional(
      Enum(REFERERS, {
        examples: ['google'],
        description: "Where the visitor says it comes from: the site's own front page, or a search engine",
      }),
    ),
    accept_language: AcceptLanguage(),
    basic_auth_username: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        pattern: '^[ -9;-~]+$',
        examples: ['user'],
        description: 'Printable ASCII without a colon; sent to the origin of the url alone',
      }),
    ),
    basic_auth_password: Type.Optional(
      Type.String({ maxLength: 1_000, pattern: PRINTABLE, examples: ['secret'], description: 'Printable ASCII' }),
    ),
    authorization_bearer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8_192,
        examples: ['mF_9.B5f-4.1JqM'],
        description: 'Token (RFC 6750); sent to the origin of the url alone, and not beside basic_auth_username',
      }),
    ),
    connect_timeout: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: CONNECT_TIMEOUT.max,
        default: CONNECT_TIMEOUT.default,
        examples: [5],
        description: 'Seconds within which each URL must be looked up and connected to, TLS included',
      }),
    ),
    include_response_headers: flag(false, 'Adds response_headers to every hop'),
    include_response_body: flag(false, 'Adds body_base64, body_md5_hash_original, body_size_bytes and body_truncated to the final hop'),
    include_response_body_text: flag(false, 'Adds body_text to the final hop'),
    include_favicon_details: flag(false, 'Fetches the icon of the final page: adds favicon_details'),
    include_og_image_details: flag(false, 'Fetches its Open Graph image: adds og_image_details'),
    include_links: flag(false, 'Adds links to the final hop'),
    include_forms: flag(false, 'Adds forms to the final hop'),
    clean_page_content: flag(false, 'Leaves navigation, consent banners and the like out of body_text, links and body_base64'),
    custom_proxy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        examples: ['socks5://user:password@proxy.example.org:1080'],
        description: 'Proxy of yours that everything goes through: http://, https:// or socks5://. It is handed addresses, not names',
      }),
    ),
    use_premium_proxy: flag(false, 'This service has no proxies of its own: true is refused'),
    use_http2: flag(false, 'Speak HTTP/2 where the server does; else HTTP/1.1'),
  },
  { additionalProperties: false },
);
