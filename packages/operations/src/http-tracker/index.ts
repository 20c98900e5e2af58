import { BROWSER_AGENTS, central, Enum, HttpUrl, type Reason, REASONS, shownUrl, text } from '@vedette/contract';
import { type RequestStats, summarize } from '@vedette/web/requests';
import { type TInteger, Type } from 'typebox';
import { AcceptLanguage, readAcceptLanguage } from '../shared/pages/request-fields.ts';
import { LeadsTo, RefusedRequests } from '../shared/pages/page-report.ts';
import { forBrowser } from '../shared/pages/url-parts.ts';

const STATS: Readonly<Record<keyof RequestStats, string>> = {
  total_requests: 'All of them',
  unsecure_requests: 'Over http: or ws:',
  same_origin_requests: 'To the scheme, host and port that the page itself came from in the end',
  cross_origin_requests: 'To others',
  unique_hosts: 'Different hosts',
  external_hosts: 'Those of another registrable domain than the page (Public Suffix List, private part included)',
  unique_ips: 'Different addresses',
  '2xx_status_codes': 'Answers with a status of 200 to 299',
  '3xx_status_codes': '300 to 399',
  '4xx_status_codes': '400 to 499',
  '5xx_status_codes': '500 to 599',
  transferred_bytes: 'Octets of all answers on the wire',
  html_files: 'Answers that are HTML: by what they were asked for as, then by media type, then by name',
  html_files_bytes: 'Their octets on the wire',
  image_files: 'Pictures',
  image_files_bytes: 'Their octets on the wire',
  javascript_files: 'Scripts',
  javascript_files_bytes: 'Their octets on the wire',
  css_files: 'Style sheets',
  css_files_bytes: 'Their octets on the wire',
  font_files: 'Fonts',
  font_files_bytes: 'Their octets on the wire',
};
const Stats = Object.fromEntries(
  Object.entries(STATS).map(([name, description]) => [name, Type.Integer({ minimum: 0, description })]),
) as Record<keyof RequestStats, TInteger>;

/** Every request that a page leads a browser to, until the page is quiet. */
export const httpTracker = central({
  name: 'http-tracker',
  summary: 'Everything that a page loads',
  description:
    'Opens the URL in a browser and tells every request: of frames and workers, redirects, preflights, beacons, WebSockets and those that failed. The visit ends when nothing was asked for a second, or after 25 s. `data:` and `blob:` are no requests; what the page had already, or a service worker gave it, is none either.',
  cost: 20,
  deadline_ms: 60_000,
  references: ['Fetch', 'RFC 6454'],
  request: Type.Object(
    {
      url: HttpUrl(),
      user_agent: Type.Optional(
        Enum(BROWSER_AGENTS, {
          description: 'Whom the browser says it is, client hints included: one of a few desktops, or a telephone',
          default: 'desktop',
          examples: ['mobile'],
        }),
      ),
      accept_language: AcceptLanguage(),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    url: text('As asked for, a password in it masked'),
    http_requests: Type.Array(
      Type.Object({
        url: text('Its first 2,048 characters'),
        status_code: Type.Integer({ description: '0 where no answer came' }),
        content_type: text('As the server sent it'),
        content_length: Type.Integer({ description: 'Octets of the answer on the wire, its head included' }),
        elapsed_ms: Type.Integer({ description: 'From the request to the end of its answer' }),
        ip_address: text('Of the server that was reached; empty where none was'),
        method: text('GET, POST, OPTIONS …'),
        resource_type: text('What the page asked for it as: document, script, image, fetch, ping, preflight, websocket …'),
        error: text('Why no answer came; empty where one did'),
      }),
      { description: 'In the order in which they were sent, at most 2,000' },
    ),
    hosts_list: Type.Array(Type.String(), { description: 'Hosts that were asked, each once' }),
    ips_list: Type.Array(Type.String(), { description: 'Addresses that were reached, each once' }),
    stats: Type.Object(Stats, { title: 'RequestStats', description: 'Counts over http_requests' }),
    final_url: text('As the address bar showed it in the end; empty where no page came'),
    leads_to: LeadsTo,
    truncated: Type.Boolean({ description: 'There were more requests' }),
    ...RefusedRequests,
    error: text('Why there is no page; empty where there is'),
    reason: Type.Unsafe<Reason | ''>({ type: 'string', enum: ['', ...Object.keys(REASONS)], description: 'The same for programs' }),
  }),
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/' }],
  read: ({ url, user_agent = 'desktop', accept_language }, targets) => ({
    asked: shownUrl(url),
    job: { url: forBrowser(url, targets.url), user_agent, accept_language: readAcceptLanguage(accept_language) },
  }),
  async run({ asked, job }, { renderers, signal }) {
    const { result } = await renderers.render('requests', job, { signal });
    const { page, requests, truncated } = result;
    const { hosts, ips, stats } = summarize(requests, page.final_url.startsWith('http') ? page.final_url : job.url);
    return {
      url: asked,
      http_requests: requests.map((request) => ({ ...request, url: shownUrl(request.url) })),
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
