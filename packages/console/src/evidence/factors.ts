import { isObject, type Members, plainText } from '../report/shape.ts';

/** One reason for a verdict or score. */
export interface Factor {
  /** The API's name of it. */
  code: string;
  /** Points, or a grade that it allows at most; empty where it has neither. */
  effect: string;
  detail: string;
  rest: Members;
}

interface Coverage {
  asked: number;
  answered: number;
  missing: readonly { name: string; reason: string }[];
}

/** The parts of a report that stand on top, and what is left for below. */
export interface Grounds {
  factors: readonly Factor[];
  coverage: Coverage | undefined;
  rest: Members;
}

const SCORES = ['risk_score', 'trust_score'];
const LISTS = ['score_factors', 'reasons', 'grade_caps'];

/** Takes the factors and the coverage of a verdict out of its report. Members of another shape stay in the report. */
export function groundsOf(report: Members): Grounds {
  const rest: Record<string, unknown> = { ...report };
  const factors: Factor[] = [];
  let coverage = take(rest);
  for (const name of LISTS) {
    const found = factorsIn(rest[name]);
    if (found === undefined) continue;
    factors.push(...found);
    delete rest[name];
  }
  for (const name of SCORES) {
    if (!isObject(rest[name]) || typeof rest[name]['result'] !== 'number') continue;
    const { result: _result, ...others } = rest[name];
    const score: Record<string, unknown> = others;
    const found = factorsIn(score['factors']);
    if (found !== undefined) {
      factors.push(...found);
      delete score['factors'];
    }
    coverage ??= take(score);
    if (Object.keys(score).length > 0) rest[name] = score;
    else delete rest[name];
  }
  return { factors: factors.sort((a, b) => size(b) - size(a)), coverage, rest };
}

/** A factor without weight only keeps the score within its limits: it comes last. */
const size = ({ effect, rest }: Factor): number => (rest['weight'] === 0 ? -1 : Math.abs(Number.parseFloat(effect)) || 0);

function factorsIn(value: unknown): Factor[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const factors = (value as unknown[]).map(factorOf);
  return factors.every((factor) => factor !== undefined) ? factors : undefined;
}

function factorOf(row: unknown): Factor | undefined {
  if (!isObject(row)) return undefined;
  const { factor, code, effect, points, grade, detail, ...rest } = row;
  const name = factor ?? code;
  const text = detail ?? '';
  return typeof name === 'string' && typeof text === 'string'
    ? { code: name, effect: effectOf(effect, points, grade), detail: text, rest }
    : undefined;
}

/** Points of email-verify are those that it takes away. */
function effectOf(effect: unknown, points: unknown, grade: unknown): string {
  if (typeof effect === 'number') return effect > 0 ? `+${effect}` : `${effect}`;
  if (typeof points === 'number') return points > 0 ? `-${points}` : `${points}`;
  return grade === undefined ? '' : `at most ${plainText(grade)}`;
}

/** Removes `coverage` from its object. */
function take(holder: Record<string, unknown>): Coverage | undefined {
  const found = holder['coverage'];
  if (!isObject(found) || Object.keys(found).length !== 3) return undefined;
  const { asked, answered, missing } = found;
  if (typeof asked !== 'number' || typeof answered !== 'number' || !Array.isArray(missing)) return undefined;
  const sources = (missing as unknown[]).filter(isObject);
  if (sources.length < missing.length || sources.some((source) => Object.keys(source).some((name) => name !== 'name' && name !== 'reason')))
    return undefined;
  delete holder['coverage'];
  return { asked, answered, missing: sources.map(({ name, reason }) => ({ name: plainText(name), reason: plainText(reason) })) };
}
