import { summaryOf } from '../evidence/summary.ts';
import type { Tone } from '../look/tone.ts';
import { isObject, type Members } from './shape.ts';

/** The report in a word. */
export interface Headline {
  tone: Tone;
  word: string;
  /** A number of 100, and whether more of it is worse. */
  score?: { label: string; value: number; isRisk: boolean };
  /** The members that say it. */
  names: readonly string[];
}

const VERDICTS: Readonly<Record<string, Tone>> = { clean: 'good', unknown: 'none', suspicious: 'warn', dangerous: 'bad' };
const STATUSES: Readonly<Record<string, [Tone, string]>> = {
  secure: ['good', 'Signed, and its signatures are valid'],
  insecure: ['warn', 'Not signed with DNSSEC'],
  bogus: ['bad', 'Signed, and its signatures are not valid'],
  indeterminate: ['none', 'Could not be validated'],
  partial: ['warn', 'The chain breaks off'],
};

/** Members that are a verdict where they are true or false, with a word for each; the first one that a report has counts. */
const YES_NO: readonly [name: string, yes: [Tone, string], no: [Tone, string]][] = [
  ['valid_ssl', ['good', 'Valid certificate'], ['bad', 'Certificate not valid']],
  ['valid', ['good', 'Valid'], ['bad', 'Not valid']],
  ['spf_valid', ['good', 'Valid'], ['bad', 'Not valid']],
  ['parked_domain', ['warn', 'Parked'], ['good', 'Not parked']],
  ['is_tor_exit', ['warn', 'Tor exit'], ['none', 'No Tor exit']],
  ['http3_supported', ['good', 'HTTP/3 works'], ['none', 'No HTTP/3']],
  ['accessible', ['good', 'Reachable'], ['bad', 'Not reachable']],
];

const gradeTone = (grade: string): Tone => (grade.startsWith('A') ? 'good' : /^[BC]/.test(grade) ? 'warn' : 'bad');

/** Why the subject could not be looked at: then no word of a verdict is true. */
const failureOf = (report: Members): string =>
  [report['error'], report['dns_error']].find((text): text is string => typeof text === 'string' && text !== '') ?? '';

function scoreOf(report: Members): (Headline['score'] & { name: string }) | undefined {
  for (const [name, label, isRisk] of [
    ['risk_score', 'Risk', true],
    ['trust_score', 'Trust', false],
    ['score', 'Score', false],
  ] as const) {
    const value = isObject(report[name]) ? report[name]['result'] : report[name];
    if (typeof value === 'number') return { name, label, value, isRisk };
  }
  return undefined;
}

/** The verdict of a report, as far as its fields have one. */
export function headlineOf(report: Members): Headline | undefined {
  const headline = verdictOf(report);
  return headline?.tone === 'good' && !isWhole(report) ? { ...headline, tone: 'none', word: `${headline.word}, as far as seen` } : headline;
}

/** Whether everything was seen that the verdict needs. */
const isWhole = (report: Members): boolean =>
  [report, report['risk_score'], report['trust_score']].every((part) => {
    const missing = isObject(part) && isObject(part['coverage']) ? part['coverage']['missing'] : [];
    return !Array.isArray(missing) || missing.length === 0;
  }) && (report['debug_message'] ?? '') === '';

/** Facts against a subject, whatever the verdict; the first one that fits counts. */
const AGAINST: readonly [name: string, counts: (report: Members) => boolean, tone: Tone, word: string][] = [
  ['revoked', ({ valid_ssl: valid, revoked }) => valid === true && revoked === true, 'bad', 'Certificate revoked'],
  ['abusive', ({ valid, abusive }) => valid === true && abusive === true, 'warn', 'Valid, but disposable or fictional'],
  ['disposable', ({ valid, disposable }) => valid === true && disposable === true, 'warn', 'Valid, but disposable'],
  ['blocks_tor', ({ blocks_tor: blocks }) => blocks === 'yes', 'warn', 'Refuses Tor'],
  ['blocks_tor', ({ blocks_tor: blocks }) => blocks === 'partly', 'warn', 'Refuses some of Tor'],
  ['blocks_tor', ({ accessible, blocks_tor: blocks }) => blocks === 'unknown' && accessible === false, 'none', 'Not reachable through Tor'],
  ['blocks_tor', ({ accessible, blocks_tor: blocks }) => blocks !== undefined && accessible === true, 'good', 'Reachable through Tor'],
  [
    'confidence',
    ({ parked_domain: parked, confidence }) => parked === false && confidence === 'low',
    'none',
    'No sign of parking, little seen',
  ],
  [
    'status_code',
    ({ accessible, status_code: status }) => accessible === true && Number(status) >= 400,
    'warn',
    'Reachable, with an error',
  ],
];

function verdictOf(report: Members): Headline | undefined {
  const failure = failureOf(report);
  if (failure !== '') return { tone: 'none', word: 'Not known', names: [] };
  const { verdict, grade, status, chain_status: chain, final_url: end } = report;
  const against = AGAINST.find(([, counts]) => counts(report));
  if (against !== undefined) return { tone: against[2], word: against[3], names: [against[0]] };
  const last = isObject(end) && typeof end['status_code'] === 'number' ? end['status_code'] : 0;
  if (chain === 'complete')
    return { tone: last >= 500 ? 'bad' : last >= 400 ? 'warn' : 'good', word: `Ends with status ${last}`, names: ['chain_status'] };
  if (typeof report['domain_age_found'] === 'boolean') return { tone: 'none', word: ageOf(report), names: ['domain_age_found'] };
  const found = scoreOf(report);
  const score = found && { score: { label: found.label, value: found.value, isRisk: found.isRisk } };
  const named = (name: string): readonly string[] => (found && !isObject(report[found.name]) ? [name, found.name] : [name]);
  if (typeof verdict === 'string') return { tone: VERDICTS[verdict] ?? 'none', word: verdict, ...score, names: named('verdict') };
  if (typeof grade === 'string' && grade !== '') return { tone: gradeTone(grade), word: `Grade ${grade}`, ...score, names: named('grade') };
  for (const [name, yes, no] of YES_NO) {
    const value = report[name];
    if (typeof value === 'boolean') {
      const [tone, word] = value ? yes : no;
      return { tone, word, ...score, names: [name] };
    }
  }
  for (const [name, value] of [
    ['status', status],
    ['chain_status', chain],
  ] as const)
    if (typeof value === 'string' && Object.hasOwn(STATUSES, value)) {
      const [tone, word] = STATUSES[value]!;
      return { tone, word, ...score, names: [name] };
    }
  if (score && found) return { tone: 'none', word: '', ...score, names: named(found.name) };
  const summary = summaryOf(report);
  return summary && { ...summary, names: [] };
}

function ageOf({ domain_age_found: isFound, domain_age_in_years: years, domain_age_in_days: days }: Members): string {
  if (isFound !== true || typeof days !== 'number') return 'Age unknown';
  return typeof years === 'number' && years >= 2 ? `Registered ${years} years ago` : `Registered ${days} days ago`;
}
