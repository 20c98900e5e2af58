import { type Cookie, judgeCookies } from './cookies.ts';
import { type HeaderEvidence, judgedFields, judgedVisit, valuesOf } from './evidence.ts';
import { judgePolicies } from './policy-result.ts';
import { type Result, RESULTS, type Test, TESTS } from './results.ts';
import { judgeScripts } from './scripts.ts';
import {
  judgeContentType,
  judgeEmbedderPolicy,
  judgeFraming,
  judgeOpenerPolicy,
  judgeReferrer,
  judgeResourcePolicy,
  judgeSharing,
} from './simple-tests.ts';
import { judgeHsts, judgeRedirection } from './transport.ts';

/** Results above this are added up only where nothing else takes more than ten points. */
const EXTRA_CREDIT_FROM = 90;

/** The least score of each grade. */
export const GRADES = [
  ['A+', 100],
  ['A', 90],
  ['A-', 85],
  ['B+', 80],
  ['B', 70],
  ['B-', 65],
  ['C+', 60],
  ['C', 50],
  ['C-', 45],
  ['D+', 40],
  ['D', 30],
  ['D-', 25],
  ['F', 0],
] as const;

export interface HeaderScore {
  results: Readonly<Record<Test, Result>>;
  /** 0 to 100, and more with extra credit. */
  score: number;
  grade: (typeof GRADES)[number][0];
  /** Tests whose facts are missing; their results say nothing, and add no points. */
  unchecked: readonly Test[];
  /** The page has more policies than are judged. */
  policiesCut: boolean;
}

/** Scores the headers of a site as the HTTP Observatory does. */
export function scoreHeaders(evidence: HeaderEvidence, cookies: readonly Cookie[]): HeaderScore {
  const fields = judgedFields(evidence);
  const start = judgedVisit(evidence)?.hops[0];
  const isHttps = start !== undefined && start.url.startsWith('https:');
  const policies = judgePolicies({
    sent: valuesOf(fields, 'content-security-policy'),
    metas: evidence.page?.policies ?? [],
    isReported: valuesOf(fields, 'content-security-policy-report-only').some((value) => value !== ''),
    isHttps,
  });
  const hsts = judgeHsts(evidence);
  const results: Record<Test, Result> = {
    'content-security-policy': policies.result,
    cookies: judgeCookies(cookies, valuesOf(fields, 'set-cookie'), RESULTS[hsts].passed),
    'cross-origin-resource-sharing': judgeSharing(evidence.preflight, evidence.origin),
    redirection: judgeRedirection(evidence),
    'referrer-policy': judgeReferrer(fields, evidence.page?.referrer ?? ''),
    'strict-transport-security': hsts,
    'subresource-integrity': judgeScripts(evidence.page, evidence.host, isHttps),
    'x-content-type-options': judgeContentType(fields),
    'x-frame-options': judgeFraming(fields, policies.limitsFraming),
    'cross-origin-resource-policy': judgeResourcePolicy(fields),
    'cross-origin-opener-policy': judgeOpenerPolicy(fields),
    'cross-origin-embedder-policy': judgeEmbedderPolicy(fields),
  };
  const unchecked = uncheckedIn(evidence);
  const counted = TESTS.filter((test) => !unchecked.includes(test));
  return { results, ...gradeOf(counted.map((test) => RESULTS[results[test]].modifier)), unchecked, policiesCut: policies.isCut };
}

const uncheckedIn = ({ preflight, unasked }: HeaderEvidence): Test[] => [
  ...(preflight ? [] : (['cross-origin-resource-sharing'] as const)),
  ...(unasked === 'http' ? (['redirection'] as const) : []),
  ...(unasked === 'https' ? (['strict-transport-security'] as const) : []),
];

/** Adds up points: those above zero count only where those below it leave 90. */
export function gradeOf(modifiers: readonly number[]): Pick<HeaderScore, 'score' | 'grade'> {
  const sum = (points: readonly number[]): number => points.reduce((total, one) => total + one, 100);
  const plain = sum(modifiers.filter((points) => points < 0));
  const score = Math.max(0, plain >= EXTRA_CREDIT_FROM ? sum(modifiers) : plain);
  return { score, grade: GRADES.find(([, least]) => score >= least)![0] };
}
