import type { Tone } from '../look/state.tsx';
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
const STATUSES: Readonly<Record<string, Tone>> = {
  secure: 'good',
  insecure: 'warn',
  bogus: 'bad',
  indeterminate: 'none',
  complete: 'good',
  partial: 'warn',
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
  ['domain_age_found', ['none', 'Registered'], ['none', 'Age unknown']],
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
  const failure = failureOf(report);
  if (failure !== '') return { tone: 'none', word: 'Not known', names: [] };
  const { verdict, grade, status, chain_status: chain } = report;
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
    if (typeof value === 'string' && Object.hasOwn(STATUSES, value))
      return { tone: STATUSES[value]!, word: value, ...score, names: [name] };
  return score && found ? { tone: 'none', word: '', ...score, names: named(found.name) } : undefined;
}
