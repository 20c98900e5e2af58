import { type Cookie, breaksPrefix, isSession } from '../cookies.ts';
import { type AnswerFields, type HeaderEvidence, joined, judgedFields, judgedVisit, valuesOf } from '../evidence.ts';
import { readHsts } from '../transport.ts';
import { type Finding, findingAt, findingIf, merged } from './codes.ts';
import { policyFindings } from './policy-findings.ts';
import { type Policy, readPolicies } from './policies.ts';
import { DICTIONARY_MAX_CHARS, type Member, readDictionary } from './structured.ts';

/** The headers of a site, parsed, and the findings about them. */
export interface HeaderFindings {
  policies: readonly Policy[];
  /** All policies were read to their end; otherwise there are no findings about them. */
  policiesWhole: boolean;
  permissions: readonly Member[];
  endpoints: readonly Member[];
  findings: readonly Finding[];
}

/** Fields that browsers no longer know. */
const DEPRECATED = [
  'expect-ct',
  'feature-policy',
  'p3p',
  'public-key-pins',
  'public-key-pins-report-only',
  'x-content-security-policy',
  'x-webkit-csp',
];
/** Features that strangers should not get. */
const SENSITIVE: ReadonlySet<string> = new Set(['camera', 'microphone', 'geolocation']);

/** Judges all fields, beside the score. */
export function findHeaderFaults(evidence: HeaderEvidence, cookies: readonly Cookie[]): HeaderFindings {
  const fields = judgedFields(evidence);
  const { policies, isWhole } = readPolicies(fields, evidence.page?.policies ?? []);
  const permissions = readDictionary(joined(fields, 'permissions-policy'));
  const endpoints = readDictionary(joined(fields, 'reporting-endpoints'));
  const groups = groupsOf(fields, endpoints ?? []);
  return {
    policies,
    policiesWhole: isWhole,
    permissions: permissions ?? [],
    endpoints: endpoints ?? [],
    findings: merged([
      ...(isWhole ? [...policyFindings(policies, groups), ...framing(policies)] : []),
      ...hstsFindings(evidence),
      ...cookieFindings(evidence, cookies),
      ...sharing(evidence),
      ...isolation(fields),
      ...permissionFindings(fields, permissions),
      ...reporting(fields, endpoints),
      ...exposed(fields),
    ]),
  };
}

const framing = (policies: readonly Policy[]): Finding[] => {
  const lists = policies.flatMap(({ disposition, source, directives }) => (disposition === 'enforce' && source === 'header' && directives.has('frame-ancestors') ? [directives.get('frame-ancestors')!] : [])); // prettier-ignore
  const isOpen = (sources: readonly string[]): boolean => sources.some((source) => ['*', 'http:', 'https:'].includes(source));
  return findingIf(lists.length > 0 && lists.every(isOpen), 'FRAMING_ALLOWED', 'content-security-policy');
};

function hstsFindings({ https }: HeaderEvidence): Finding[] {
  const header = 'strict-transport-security';
  const values = valuesOf(https?.hops.at(-1)?.fields ?? [], header);
  const { isSent, maxAge, includeSubDomains, preload } = readHsts(https);
  const isTwice = values.join(', ').includes(',');
  return [
    ...findingIf(isTwice, 'HSTS_SENT_TWICE', header),
    ...findingIf(isSent && !isTwice && maxAge === undefined, 'HSTS_MAX_AGE_INVALID', header),
    ...findingIf(maxAge === 0, 'HSTS_DISABLED', header),
    ...findingIf(preload && maxAge !== 0 && !((maxAge ?? 0) >= 31_536_000 && includeSubDomains), 'HSTS_NOT_PRELOADABLE', header),
  ];
}

function cookieFindings(evidence: HeaderEvidence, cookies: readonly Cookie[]): Finding[] {
  const kept = cookies.filter(({ deleted }) => !deleted);
  const isHttps = judgedVisit(evidence)?.hops.at(-1)?.url.startsWith('https:') === true;
  const at = (code: Parameters<typeof findingAt>[0], is: (cookie: Cookie) => boolean): Finding[] =>
    findingAt(code, 'set-cookie', kept.filter(is).map(({ name }) => name)); // prettier-ignore
  return [
    ...at('COOKIE_PREFIX_BROKEN', breaksPrefix),
    ...at('COOKIE_SAMESITE_NONE', ({ sameSite, secure }) => sameSite === 'none' && !secure),
    ...at('COOKIE_NOT_SECURE', (cookie) => isHttps && !cookie.secure && cookie.sameSite !== 'none' && !breaksPrefix(cookie)),
    ...at('COOKIE_SESSION_READABLE', (cookie) => isSession(cookie) && !cookie.httpOnly),
    ...at('COOKIE_NO_SAMESITE', ({ sameSite }) => sameSite === ''),
  ];
}

function sharing(evidence: HeaderEvidence): Finding[] {
  const header = 'access-control-allow-origin';
  const answers = [evidence.preflight ?? [], judgedFields(evidence)].map((fields) => ({
    allowed: joined(fields, header).trim(),
    credentials: joined(fields, 'access-control-allow-credentials').trim().toLowerCase() === 'true',
  }));
  const some = (is: (answer: (typeof answers)[number]) => boolean): boolean => answers.some(is);
  return [
    ...findingIf(some(({ allowed, credentials }) => allowed === evidence.origin && credentials), 'CORS_ANY_ORIGIN', header),
    ...findingIf(some(({ allowed }) => allowed === 'null'), 'CORS_NULL_ORIGIN', header),
    ...findingIf(some(({ allowed, credentials }) => allowed === '*' && credentials), 'CORS_WILDCARD_CREDENTIALS', header),
    ...findingIf(some(({ allowed }) => /[,\s]/.test(allowed)), 'CORS_SEVERAL_ORIGINS', header),
  ]; // prettier-ignore
}

function isolation(fields: AnswerFields): Finding[] {
  const embeds = /^(?:require-corp|credentialless)\b/.test(joined(fields, 'cross-origin-embedder-policy').trim());
  const opens = /^same-origin(?![\w-])/.test(joined(fields, 'cross-origin-opener-policy').trim());
  return findingIf(embeds && !opens, 'ISOLATION_INCOMPLETE', 'cross-origin-embedder-policy');
}

function permissionFindings(fields: AnswerFields, members: readonly Member[] | undefined): Finding[] {
  const header = 'permissions-policy';
  if (joined(fields, header).trim() === '') return [];
  const open = (members ?? []).filter(({ name, values }) => SENSITIVE.has(name) && values.includes('*')).map(({ name }) => name);
  return [...findingIf(members === undefined, 'PERMISSIONS_POLICY_SYNTAX', header), ...findingAt('PERMISSIONS_POLICY_OPEN', header, open)];
}

function reporting(fields: AnswerFields, members: readonly Member[] | undefined): Finding[] {
  const header = 'reporting-endpoints';
  if (joined(fields, header).trim() === '') return [];
  const plain = (members ?? []).filter(({ values }) => /^http:/i.test(values[0] ?? '')).map(({ name }) => name);
  return [
    ...findingIf(members === undefined, 'REPORTING_ENDPOINTS_SYNTAX', header),
    ...findingAt('REPORTING_ENDPOINT_PLAIN', header, plain),
  ];
}

const REPORT_TO_MAX_CHARS = 16_384;

/** The names of all endpoints and groups for reports; undefined where a field is too long to be read. */
function groupsOf(fields: AnswerFields, endpoints: readonly Member[]): Set<string> | undefined {
  const reportTo = joined(fields, 'report-to');
  if (reportTo.length > REPORT_TO_MAX_CHARS || joined(fields, 'reporting-endpoints').length > DICTIONARY_MAX_CHARS) return undefined;
  return new Set([...endpoints.map(({ name }) => name), ...reportToGroups(reportTo)]);
}

/** The names of groups in Report-To, which is JSON without its brackets; one without a name is `default`. */
function reportToGroups(text: string): string[] {
  try {
    const groups: unknown = JSON.parse(`[${text}]`);
    return (groups as ({ group?: unknown } | null)[]).map((group) => (typeof group?.group === 'string' ? group.group : 'default'));
  } catch {
    return []; // a SyntaxError
  }
}

function exposed(fields: AnswerFields): Finding[] {
  const old = DEPRECATED.filter((name) => valuesOf(fields, name).length > 0);
  const filter = valuesOf(fields, 'x-xss-protection').some((value) => /^\s*1/.test(value)) ? ['x-xss-protection'] : [];
  const shown = ['server', 'x-powered-by', 'x-aspnet-version', 'x-aspnetmvc-version'].filter((name) => valuesOf(fields, name).some((value) => /\d\.\d/.test(value)));
  return [
    ...[...old, ...filter].flatMap((name) => findingIf(true, 'DEPRECATED_HEADER', name)),
    ...shown.flatMap((name) => findingIf(true, 'SOFTWARE_SHOWN', name)),
  ];
} // prettier-ignore
