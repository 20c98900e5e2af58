import {
  breaksPrefix,
  FINDINGS,
  findHeaderFaults,
  type HeaderFindings,
  type Cookie,
  type HeaderEvidence,
  type HeaderScore,
  judgedVisit,
  readHsts,
  RESULTS,
  TESTS,
} from '@vedette/web/headers';
import type { Static } from 'typebox';
import type { SecurityHeadersReport } from './schema.ts';
import type { HeadersQuery } from './visits.ts';

/** Limits on what a report shows of an answer. */
const HEADERS_MAX = 100;
const HEADER_MAX_CHARS = 8_192;

/** The least max-age that the list of browsers takes (hstspreload.org). */
const PRELOAD_S = 31_536_000;
/** Fields that every page can send. */
const SECURITY_HEADERS = [
  'content-security-policy',
  'strict-transport-security',
  'x-content-type-options',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
];

interface Judged {
  query: HeadersQuery;
  evidence: HeaderEvidence;
  cookies: readonly Cookie[];
  scored: HeaderScore | undefined;
  problems: readonly string[];
}

export function reportOf({ query, evidence, cookies, scored, problems }: Judged): Static<typeof SecurityHeadersReport> {
  const visit = judgedVisit(evidence);
  const answer = visit?.hops.at(-1);
  const unchecked = scored?.unchecked ?? [];
  const tests = scored ? TESTS.filter((name) => !unchecked.includes(name)).map((name) => testEntry(name, scored)) : [];
  const passed = tests.filter((test) => test.passed).length;
  const { maxAge, includeSubDomains, preload } = readHsts(evidence.https);
  const found = findHeaderFaults(evidence, cookies);
  const preloaded = evidence.isPreloaded(evidence.host);
  return {
    url: query.written,
    final_url: answer?.url ?? '',
    status_code: answer?.status ?? 0,
    scored: scored !== undefined,
    score: scored?.score ?? 0,
    grade: scored?.grade ?? '',
    tests_passed: passed,
    tests_failed: tests.length - passed,
    tests,
    issues_found: scored ? issuesOf(found) : [],
    missing: scored ? SECURITY_HEADERS.filter((name) => !answer?.fields.some(([field]) => field === name)) : [],
    deprecated: found.findings.flatMap(({ code, header }) => (code === 'DEPRECATED_HEADER' ? [header] : [])),
    csp: found.policies.map(({ disposition, source, directives }) => ({
      disposition,
      source,
      directives: Array.from(directives, ([name, values]) => ({ name, values: [...values] })),
    })),
    permissions_policy: found.permissions.map(({ name, values }) => ({ feature: name, allowlist: [...values] })),
    reporting_endpoints: found.endpoints.map(({ name, values }) => ({ name, url: values[0] ?? '' })),
    redirects: redirectsOf(evidence),
    hsts: {
      max_age: maxAge ?? 0,
      include_subdomains: includeSubDomains,
      preload,
      preload_eligible: (maxAge ?? 0) >= PRELOAD_S && includeSubDomains && preload,
      preloaded: preloaded ?? false,
    },
    cookies: cookies.filter(({ deleted }) => !deleted).map(cookieEntry),
    raw_headers: headersOf(answer?.fields ?? []),
    not_checked: [
      ...(preloaded === undefined ? ['hsts.preloaded'] : []),
      ...unchecked.map((name) => `tests.${name}`),
      ...blindTo(evidence.unasked),
    ],
    problems: [
      ...problems,
      ...(scored && !found.policiesWhole ? ['The policies are too many or too long: there are no findings about them'] : []),
    ],
  };
}

const redirectsOf = ({ http }: HeaderEvidence): string[] =>
  http ? [...http.hops.map(({ url }) => url), ...(http.unanswered === '' ? [] : [http.unanswered])] : [];

/** Fields that need an answer over a scheme. */
const blindTo = (unasked: HeaderEvidence['unasked']): string[] =>
  unasked === 'https' ? ['hsts'] : unasked === 'http' ? ['redirects'] : [];

function testEntry(name: (typeof TESTS)[number], { results }: HeaderScore) {
  const result = results[name];
  const { modifier, passed, meaning, remedy, send } = RESULTS[result];
  return { name, result, score_modifier: modifier, passed, message: meaning, recommendation: remedy, send };
}

const issuesOf = ({ findings }: HeaderFindings) =>
  findings.map(({ code, header, parts }) => {
    const { type, meaning, remedy, send } = FINDINGS[code];
    return { code, type, header, message: meaning, parts: [...parts], recommendation: remedy, send };
  });

const cookieEntry = (cookie: Cookie) => ({
  name: cookie.name,
  domain: cookie.domain,
  host_only: cookie.hostOnly,
  path: cookie.path,
  secure: cookie.secure,
  http_only: cookie.httpOnly,
  same_site: cookie.sameSite,
  prefix: cookie.prefix,
  rejected: breaksPrefix(cookie),
});

function headersOf(fields: readonly (readonly [name: string, value: string])[]): Record<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const values = lists.get(name);
    if (!values && lists.size >= HEADERS_MAX) continue;
    if (values) values.push(value.slice(0, HEADER_MAX_CHARS));
    else lists.set(name, [value.slice(0, HEADER_MAX_CHARS)]);
  }
  return Object.fromEntries(lists);
}
