/** How it went at one location. `bad`: nothing answers there; `warn`: something does, and not well. */
export interface EntryState {
  tone: 'good' | 'warn' | 'bad';
  /** The state in a word or two. */
  state: string;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** What was measured there: the member `ping_output` and the like of an entry; the entry itself where there is none. */
export function outputOf(entry: Members): Members {
  const output = Object.entries(entry).find(([name]) => name.endsWith('_output'))?.[1];
  return isObject(output) ? output : entry;
}

/** States of a port that lets no connection in. */
const SHUT: readonly unknown[] = ['closed', 'filtered', 'reset', 'refused', 'rejected'];

/** The first one that says something counts. */
const JUDGES: readonly (readonly [tone: 'warn' | 'bad', judge: (output: Members) => string | false])[] = [
  ['bad', ({ percent_packet_loss: loss }) => loss === 100 && 'no reply'],
  ['warn', ({ percent_packet_loss: loss }) => Number(loss) > 0 && 'losses'],
  ['bad', ({ state }) => SHUT.includes(state) && String(state)],
  ['warn', ({ reached }) => reached === false && 'not reached'],
  ['warn', ({ error_message: message }) => isText(message) && 'with errors'],
  ['warn', ({ status_code: status }) => Number(status) >= 500 && `status ${Number(status)}`],
  ['warn', ({ ipv4, ipv6 }) => [ipv4, ipv6].some((family) => isObject(family) && family['state'] === 'black_hole') && 'black hole'],
  ['warn', ({ expect_matched: matched }) => matched === false && 'other answer'],
  ['warn', ({ revoked }) => revoked === true && 'revoked'],
  ['warn', ({ valid_ssl: valid }) => valid === false && 'invalid'],
  ['warn', ({ response }) => Array.isArray(response) && response.some((one) => isObject(one) && isText(one['error'])) && 'with errors'],
];

/** Judges the entry of a location that has measured. An entry with an `error` has not: see its `reason`. */
export function judgeEntry(entry: Members): EntryState {
  const output = outputOf(entry);
  for (const [tone, judge] of JUDGES) {
    const state = judge(output);
    if (state !== false) return { tone, state };
  }
  return { tone: 'good', state: 'answered' };
}
