import { groundsOf } from '../evidence/factors.ts';
import { isObject, type Members } from '../report/shape.ts';
import { type Indicator, indicatorOf, indicatorsIn, mentionsIn } from '../subject/index.ts';
import { partsOf } from '../text/index.ts';

/** A question with its answer, as files have it. */
export interface Asked {
  /** Names the question: files of the same one have the same ids. */
  key: string;
  operation: string;
  request: Members;
  report: Members;
  at: Date;
}

/** The parts of an answer that other programs take. */
export interface Facts {
  /** What was asked about; undefined where it was a file. */
  subject: Indicator | undefined;
  /** All that the report names, the subject among them. */
  indicators: readonly Indicator[];
  /** The report's own verdict says so, of its subject. */
  isMalicious: boolean;
  /** Its risk of 100. */
  risk: number | undefined;
  /** Operation, verdict, sources that are missing, and factors, on one line. */
  comment: string;
}

const SUBJECTS = ['url', 'host', 'ip', 'email', 'number', 'asn'];
const MAX_COMMENT = 1000;

/** Text of strangers on one line, with what is invisible named. */
const line = (text: string): string =>
  partsOf(text.slice(0, MAX_COMMENT).toWellFormed())
    .map((part) => part.text)
    .join('')
    .replaceAll(/\s+/g, ' ');

export const isSame = (a: Indicator | undefined, b: Indicator): boolean => a?.kind === b.kind && a.value === b.value;

/** The indicator as browsers write it: what is invisible in a URL is escaped. */
const written = ({ kind, value }: Indicator): Indicator => ({ kind, value: kind === 'url' ? new URL(value).href : value.toWellFormed() });

/** Returns the facts of an answer. `mentions`: names in its sentences count as well; they are too much for other programs. */
export function factsOf({ operation, request, report }: Asked, { mentions = false } = {}): Facts {
  const given = SUBJECTS.map((name) => indicatorOf(name, request[name])).find((indicator) => indicator !== undefined);
  const subject = given && written(given);
  const named = (mentions ? mentionsIn : indicatorsIn)(report).map(written);
  const { verdict, risk_score: score } = report;
  const risk = isObject(score) ? score['result'] : score;
  const factors = isObject(score) && Array.isArray(score['factors']) ? (score['factors'] as unknown[]).filter(isObject) : [];
  const reasons = factors.map(({ factor, detail }) =>
    typeof detail === 'string' && detail !== '' ? `${String(factor)} (${detail})` : String(factor),
  );
  const { coverage } = groundsOf(report);
  const said = [
    typeof verdict === 'string' && verdict,
    typeof risk === 'number' && `risk ${risk} of 100`,
    coverage && coverage.missing.length > 0 && `${coverage.answered} of ${coverage.asked} sources answered`,
    reasons.length > 0 && reasons.join('; '),
  ];
  return {
    subject,
    indicators: subject === undefined || named.some((one) => isSame(subject, one)) ? named : [subject, ...named],
    isMalicious: verdict === 'dangerous',
    risk: typeof risk === 'number' ? risk : undefined,
    comment: line([`Vedette ${operation}`, said.filter(Boolean).join(', ')].filter(Boolean).join(': ')),
  };
}
