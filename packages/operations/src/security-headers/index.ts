import {
  type HeaderEvidence,
  JUDGED_POLICIES_MAX,
  JUDGED_POLICIES_MAX_CHARS,
  judgedVisit,
  readCookies,
  readPageSecurity,
  scoreHeaders,
} from '@vedette/web/headers';
import { HSTS_PRELOAD, isPreloaded } from '@vedette/intel/names';
import { guardOf, NO_PAGE } from '@vedette/web/site';
import { Type } from 'typebox';
import { central, type CentralContext, Flag, HttpUrl } from '../kit/index.ts';
import { refusedTarget } from '../shared/names/refused-target.ts';
import { asWritten, shownTarget } from '../shared/pages/url-parts.ts';
import { problemsOf } from '../site-trust/index.ts';
import { reportOf } from './report.ts';
import { SecurityHeadersReport } from './schema.ts';
import { headersScrape } from './scrape.ts';
import { type HeadersQuery, ORIGIN, preflight, seenOf, visitBoth, type Visited, type Visits } from './visits.ts';

/** Scores the headers of a site, and says which line to send. */
export const securityHeaders = central({
  name: 'security-headers',
  subject: 'web',
  summary: 'Score the security headers of a site, with the lines to send',
  description:
    "Visits the URL over https and http, follows redirects, and sends one preflight request. The score is that of MDN's HTTP Observatory (algorithm 6). docs/security-headers.md has each result, its points, and the lines for nginx, Apache and Caddy.",
  cost: 5,
  deadline_ms: 30_000,
  dns: { questions: 120, ms: 26_000, optional: ({ start }: HeadersQuery) => start.kind !== 'name' },
  references: ['RFC 6265', 'RFC 6797', 'RFC 9110', 'Content Security Policy Level 3', 'Fetch', 'Referrer Policy', 'Subresource Integrity'],
  request: Type.Object(
    {
      url: HttpUrl(),
      follow_redirects: Flag(true, 'Judges the page where redirects lead; otherwise the first answer'),
    },
    { additionalProperties: false },
  ),
  response: SecurityHeadersReport,
  bulk: 'url',
  targets: { url: 'url' },
  scrape: headersScrape,
  examples: [{ url: 'https://example.org/' }, { url: 'https://example.org/', follow_redirects: false }],
  read: ({ follow_redirects: follow }, { url: start }): HeadersQuery => ({ written: writtenOf(start), start, follow }),
  async run(query, context) {
    const visits = await visitBoth(query, context);
    await refuseForbidden(query, visits, context);
    const https = seenOf(visits.https);
    const http = seenOf(visits.http, visits.https);
    const judged = https ? visits.https! : visits.http;
    const unscored = judged && judgedVisit({ https, http }) ? whyUnscored(judged) : 'the site does not answer';
    const last = judged?.raw.hops.findLast(({ head }) => head !== undefined);
    const asked = last && unscored === '' ? await preflight(last.url, context) : undefined;
    const page = judged?.site.isHtml ? await readPageSecurity(judged.raw.page.text, context.signal) : undefined;
    const evidence: HeaderEvidence = {
      host: query.start.host,
      https,
      http,
      unasked: unaskedIn(visits),
      page,
      preflight: asked?.fields,
      origin: ORIGIN,
      isPreloaded(name) {
        const known = isPreloaded(name, context.names);
        // Names may have come since an old list was made.
        return known === false && context.lists.staleSince(HSTS_PRELOAD) !== '' ? undefined : known;
      },
    };
    const visit = judgedVisit(evidence);
    const cookies = visit ? readCookies(visit, context.today()) : [];
    const scored = unscored === '' ? scoreHeaders(evidence, cookies) : undefined;
    return reportOf({
      query,
      evidence,
      cookies,
      scored,
      problems: [
        ...(unscored === '' ? [] : [`Without a score: ${unscored}`]),
        ...problemsIn(visits),
        ...(asked && asked.problem !== '' ? [asked.problem] : []),
        ...(evidence.unasked === '' ? [] : [`Nothing was asked over ${evidence.unasked}: its port is not known`]),
        ...(scored?.policiesCut ? [CUT] : []),
      ],
    });
  },
});

const writtenOf = (start: HeadersQuery['start']): string => (asWritten(start), `${shownTarget(start)}${start.fragment}`);

const CUT = `Only the first policies were scored: at most ${JUDGED_POLICIES_MAX}, with ${JUDGED_POLICIES_MAX_CHARS} characters`;

const unaskedIn = ({ https, http }: Visits): HeaderEvidence['unasked'] => (!https ? 'https' : !http ? 'http' : '');

/** Refuses a URL that may not be contacted, as only its DNS has told. */
async function refuseForbidden({ start }: HeadersQuery, { https, http }: Visits, context: CentralContext): Promise<void> {
  const failure = (https ?? http)?.raw.hops[0]!.failure;
  if (failure?.code === 'blocked_policy' || failure?.code === 'blocked_private_address')
    throw await refusedTarget(failure, start.host, context);
}

/** Why the answer is not judged, as words; empty where it is. */
function whyUnscored({ raw, site }: Visited): string {
  const answer = raw.hops.findLast(({ head }) => head !== undefined)!;
  const { status, headers } = answer.head!;
  const guard = guardOf({ url: answer.url, status, fields: headers, page: site.isHtml ? site.page : NO_PAGE });
  if (guard !== '') return `${guard} answered in its place`;
  return (status >= 200 && status < 400) || status === 401 || status === 403 ? '' : `the site answers with HTTP ${status}`;
}

const problemsIn = ({ https, http }: Visits): string[] => [https, http].flatMap((visited) => (visited ? problemsOf(visited.raw) : []));
