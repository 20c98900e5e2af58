import { BROWSER_AGENTS, Enum, type Reason, REASONS, shownUrl, text } from '@vedette/contract';
import { central, HttpUrl, Defaulted } from '../kit/index.ts';
import { type RequestStats, summarize } from '@vedette/web/requests';
import { type TInteger, Type } from 'typebox';
import { AcceptLanguage, readAcceptLanguage } from '../shared/pages/request-fields.ts';
import { LeadsTo, RefusedRequests } from '../shared/pages/page-report.ts';
import { forBrowser } from '../shared/pages/url-parts.ts';

const STATS: Readonly<Record<keyof RequestStats, string>> = {
  total_requests: 'Number of all requests',
  unsecure_requests: 'Requests over http: or ws:',
  same_origin_requests: 'Requests to the scheme, host and port of the final page',
  cross_origin_requests: "Requests to another scheme, host or port than the final page's",
  unique_hosts: 'Number of different hosts',
  external_hosts: "Hosts of another registrable domain than the page's (Public Suffix List, including its private part)",
  unique_ips: 'Number of different IP addresses',
  '2xx_status_codes': 'Responses with a status of 200 to 299',
  '3xx_status_codes': 'Responses with a status of 300 to 399',
  '4xx_status_codes': 'Responses with a status of 400 to 499',
  '5xx_status_codes': 'Responses with a status of 500 to 599',
  transferred_bytes: 'Size of all responses on the wire, in bytes',
  html_files: 'HTML responses, judged by their purpose in the page, then by media type, then by file name',
  html_files_bytes: 'Size of the HTML responses on the wire, in bytes',
  image_files: 'Number of images',
  image_files_bytes: 'Size of the images on the wire, in bytes',
  javascript_files: 'Number of scripts',
  javascript_files_bytes: 'Size of the scripts on the wire, in bytes',
  css_files: 'Number of style sheets',
  css_files_bytes: 'Size of the style sheets on the wire, in bytes',
  font_files: 'Number of fonts',
  font_files_bytes: 'Size of the fonts on the wire, in bytes',
};
const Stats = Object.fromEntries(
  Object.entries(STATS).map(([name, description]) => [name, Type.Integer({ minimum: 0, description })]),
) as Record<keyof RequestStats, TInteger>;

/** Every request that a page leads a browser to, until the page is quiet. */
export const httpTracker = central({
  name: 'http-tracker',
  subject: 'web',
  summary: 'List every request that a page makes',
  description:
    'Opens the URL in a browser and lists every request, including frames, workers, redirects, preflights, beacons, WebSockets and failed requests. The visit ends after one second without a request, or after 25 s. `data:` and `blob:` URLs, cached resources and answers of a service worker do not count as requests.',
  cost: 20,
  deadline_ms: 60_000,
  references: ['Fetch', 'RFC 6454'],
  request: Type.Object(
    {
      url: HttpUrl(),
      user_agent: Defaulted(
        Enum(BROWSER_AGENTS, {
          description: 'Browser identity, including client hints: one of a few desktop browsers, or a phone',
          examples: ['mobile'],
        }),
        'desktop',
      ),
      accept_language: AcceptLanguage(),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    url: text('URL from the request, with any password masked'),
    http_requests: Type.Array(
      Type.Object({
        url: text('First 2,048 characters of the URL'),
        status_code: Type.Integer({ description: 'HTTP status; 0 if no response arrived' }),
        content_type: text('Content type sent by the server'),
        content_length: Type.Integer({ description: 'Size of the response on the wire in bytes, including its head' }),
        elapsed_ms: Type.Integer({ description: 'Time from the request to the end of the response, in ms' }),
        started_ms: Type.Integer({ description: 'Time from the first request of the page to this one, in ms' }),
        ttfb_ms: Type.Integer({ description: 'Time from the request to the head of the response, in ms; 0 if no response arrived' }),
        ip_address: text('IP address of the server; empty if no connection was made'),
        method: text('HTTP method, such as GET, POST or OPTIONS'),
        resource_type: text('Purpose of the request in the page: document, script, image, fetch, ping, preflight, websocket …'),
        error: text('Reason why no response arrived; empty otherwise'),
      }),
      { description: 'Requests in the order sent, at most 2,000' },
    ),
    hosts_list: Type.Array(Type.String(), { description: 'Hosts of the requests, without duplicates' }),
    ips_list: Type.Array(Type.String(), { description: 'IP addresses that the browser connected to, without duplicates' }),
    stats: Type.Object(Stats, { title: 'RequestStats', description: 'Statistics of `http_requests`' }),
    final_url: text('Final URL in the address bar; empty if no page loaded'),
    leads_to: LeadsTo,
    truncated: Type.Boolean({ description: 'The page made more requests than `http_requests` lists' }),
    ...RefusedRequests,
    error: text('Reason why no page loaded; empty otherwise'),
    reason: Type.Unsafe<Reason | ''>({
      type: 'string',
      enum: ['', ...Object.keys(REASONS)],
      description: 'Reason code why no page loaded',
    }),
  }),
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/' }],
  read: ({ url, user_agent, accept_language }, targets) => ({
    requestedUrl: shownUrl(url),
    job: { url: forBrowser(targets.url), user_agent, accept_language: readAcceptLanguage(accept_language) },
  }),
  async run({ requestedUrl, job }, { renderers, signal }) {
    const { result } = await renderers.render('requests', job, { signal });
    const { page, requests, truncated } = result;
    const { hosts, ips, stats } = summarize(requests, page.final_url.startsWith('http') ? page.final_url : job.url);
    return {
      url: requestedUrl,
      // A renderer of an older version tells no times.
      http_requests: requests.map((request) => ({ started_ms: 0, ttfb_ms: 0, ...request, url: shownUrl(request.url) })),
      hosts_list: hosts,
      ips_list: ips,
      stats,
      final_url: shownUrl(page.final_url),
      leads_to: shownUrl(page.leads_to ?? ''),
      truncated,
      refused_requests: page.refused_requests ?? 0,
      error: page.failure?.error ?? '',
      reason: page.failure?.reason ?? ('' as const),
    };
  },
});
