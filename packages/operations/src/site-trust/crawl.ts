import { randomInt } from 'node:crypto';
import type { CentralContext } from '../kit/index.ts';
import { refreshTarget } from '@vedette/web/page';
import { elsewhere, mainVisit, NO_PAGE, readPage, type SiteVisit } from '@vedette/web/site';
import { headerValues, type Hop, type PageOptions, type Visit } from '@vedette/probes/http';
import { looksLikeHtml } from '../shared/pages/looks-like-html.ts';
import { visited } from '../shared/pages/visited.ts';

/** The most bytes that are read of a page, as transferred and unpacked. */
const PAGE_MAX_BYTES = 2 * 1024 * 1024;
const REDIRECTS_MAX = 8;
// Parts of 30 s: two visits and that of an absent page one after the other, then two seconds for revocation lists. The rest goes on beside.
const HOP_MS = 6_000;
const VISIT_MS = 9_000;
const ABSENT_MS = 5_000;
/** Letters of the name of a page that is not there: no site has it by chance. */
const ABSENT_LETTERS = 24;

export interface Crawl {
  https: SiteVisit;
  http: SiteVisit;
  absent: SiteVisit | undefined;
  /** The URL with which the visit began that the site is judged by. */
  start: URL;
  /** The hop that showed the site's own certificate. */
  certified: Hop | undefined;
  /** Status line of the last answer, such as `HTTP/2 200 OK`; empty without. */
  status: string;
  problems: readonly string[];
}

/**
 * Visits the site over https and http and asks it for a page that is not there; at most 3 × 9 requests, one after the other. Throws
 * `ApiError` upstream_failed where this machine has no way out.
 */
export async function crawl(host: string, domain: string, context: CentralContext): Promise<Crawl> {
  const https = await visitSite(`https://${host}/`, {}, context);
  // If https answers, the same page need not be fetched twice.
  const answers = https.raw.hops.some(({ head }) => head !== undefined);
  const http = await visitSite(`http://${host}/`, answers ? { follows: ({ url: to }) => !to.startsWith('https:') } : {}, context);
  const main = mainVisit({ https: https.site, http: http.site }) === https.site ? https : http;
  const base = baseOf(main, domain);
  const absent = base === undefined ? undefined : await visitSite(`${base}/${randomName()}`, { total_ms: ABSENT_MS }, context);
  const last = main.raw.hops.findLast(({ head }) => head !== undefined)?.head;
  return {
    https: https.site,
    http: http.site,
    absent: absent?.site,
    start: main.raw.hops[0]!.location,
    certified: https.raw.hops.find(({ tls }) => tls !== undefined),
    status: last ? `${last.version} ${last.status} ${last.statusMessage}`.trim() : '',
    problems: [https.raw, http.raw, ...(absent ? [absent.raw] : [])].flatMap(problemsOf),
  };
}

/** Where to ask for the absent page: where the site itself lives in the end. Undefined where it has no page, or only a redirect away. */
function baseOf({ raw, site }: { raw: Visit; site: SiteVisit }, domain: string): string | undefined {
  const answered = raw.hops.findLast(({ head }) => head !== undefined);
  return site.end === 'page' && answered && elsewhere(answered.url, domain) === '' ? answered.location.origin : undefined;
}

/** It need not be unguessable, only absent: letters and digits, like the name of a file. */
const randomName = (): string =>
  Array.from({ length: ABSENT_LETTERS }, () => 'abcdefghijklmnopqrstuvwxyz0123456789'[randomInt(36)]).join('');

/** Visits one URL as site-trust does, with what its judges read. Throws `ApiError` upstream_failed where this machine has no way out. */
export async function visitSite(
  url: string,
  options: Pick<Partial<PageOptions>, 'follows' | 'total_ms' | 'basic' | 'request' | 'requestFields' | 'way' | 'connect_ms' | 'hop_ms'>,
  context: CentralContext,
): Promise<{ raw: Visit; site: SiteVisit }> {
  /** The last page that was read: it is parsed once, whether or not it leads elsewhere. */
  let read = { url: '', page: NO_PAGE };
  const raw = await visited(
    {
      url,
      maxBytes: PAGE_MAX_BYTES,
      maxRedirects: REDIRECTS_MAX,
      hop_ms: HOP_MS,
      total_ms: VISIT_MS,
      protocol: 'any',
      async next(page) {
        const isHtml = looksLikeHtml(page.head, page);
        read = { url: page.url, page: isHtml ? await readPage(page.text, context.signal) : NO_PAGE };
        const refresh = headerValues(page.head, 'refresh')[0] ?? '';
        const to = refreshTarget(refresh === '' ? read.page.metaRefresh : refresh, page.url);
        return to === '' ? undefined : { url: to, type: 'refresh' };
      },
      ...options,
    },
    context,
  );
  const last = raw.hops.at(-1)!;
  return { raw, site: siteVisit(raw, read.url === last.url ? read.page : NO_PAGE) };
}

const siteVisit = (raw: Visit, page: SiteVisit['page']): SiteVisit => ({
  end: raw.end,
  hops: raw.hops.map(({ url, head, failure, tls, redirect }) => ({
    url,
    status: head?.status ?? 0,
    fields: head?.headers ?? [],
    refusal: failure?.code ?? '',
    secure: tls?.certificate.valid,
    next: redirect?.to ?? '',
  })),
  page,
  // A body that cannot be unpacked is not empty, but its content is unknown.
  isHtml: page !== NO_PAGE && !raw.page.broken,
  bytes: raw.page.broken ? 1 : raw.page.body.length,
});

/** The failures of a visit, as sentences. */
export function problemsOf({ hops, end, page }: Visit): string[] {
  const last = hops.at(-1)!.url.slice(0, 200);
  return [
    ...hops.flatMap(({ url, failure }) => (failure ? [`${url.slice(0, 200)}: ${failure.message}`] : [])),
    ...(end === 'loop' ? [`${last}: the redirects lead round`] : []),
    ...(end === 'too_many_redirects' ? [`${last}: more than ${REDIRECTS_MAX} redirects`] : []),
    ...(page.truncated ? [`${last}: only the beginning of the page was read`] : []),
    ...(page.broken ? [`${last}: the page cannot be unpacked`] : []),
  ];
}
