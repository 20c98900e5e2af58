import type { EmlReport } from '../report/index.ts';
import type { Believed } from './believed.ts';
import type { MethodResult } from './results.ts';

/** The receiver's results about the sender of the message, in the words of RFC 8601; empty where it does not say. */
export type Verdicts = Pick<
  EmlReport['security_details'],
  | 'spf_status'
  | 'dkim_status'
  | 'dmarc_status'
  | 'compauth_status'
  | 'dara_status'
  | 'dmarc_policy'
  | 'dmarc_subdomain_policy'
  | 'dmarc_disposition'
>;

/** Words of each method (RFC 8601 §2.7, RFC 7489 §11.2, and Microsoft's own), the weightiest first where a message can have several results. */
const WORDS = {
  spf: ['pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror', 'policy'],
  dkim: ['pass', 'fail', 'policy', 'neutral', 'temperror', 'permerror', 'none'],
  dmarc: ['pass', 'fail', 'bestguesspass', 'temperror', 'permerror', 'none'],
  compauth: ['pass', 'softpass', 'fail', 'none'],
  dara: ['pass', 'fail', 'neutral', 'none'],
} as const;
type Method = keyof typeof WORDS;

/** Synonyms of those words by RFC 5451, Yahoo and Exim. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['hardfail', 'fail'],
  ['success', 'pass'],
  ['error', 'temperror'],
  ['timeout', 'temperror'],
  ['permfail', 'permerror'],
  ['invalid', 'permerror'],
  ['unknown', 'none'],
]);

export function verdictsOf(evidence: Believed): Verdicts {
  const of = (method: Method): readonly MethodResult[] => {
    const own = evidence.results.filter((result) => result.method === method && wordOf(method, result) !== '');
    return own.length > 0 ? own : evidence.arc.filter((result) => result.method === method && wordOf(method, result) !== '');
  };
  const [spf] = [...of('spf').filter((result) => !isOfHelo(result)), ...(evidence.receivedSpf ? [evidence.receivedSpf] : []), ...of('spf')];
  return {
    spf_status: spf === undefined ? '' : wordOf('spf', spf),
    dkim_status: weightiest('dkim', of('dkim')),
    dmarc_status: first('dmarc', of('dmarc')),
    compauth_status: first('compauth', of('compauth')),
    dara_status: first('dara', of('dara')),
    ...policiesOf([...of('dmarc'), ...evidence.arc.filter(({ method }) => method === 'dmarc')]),
  };
}

function wordOf(method: Method, { result }: MethodResult): string {
  const words: readonly string[] = WORDS[method];
  const word = OTHER_WORDS.get(result) ?? result;
  return words.includes(word) ? word : '';
}

const first = (method: Method, [result]: readonly MethodResult[]): string => (result === undefined ? '' : wordOf(method, result));

const weightiest = (method: Method, results: readonly MethodResult[]): string => {
  const found = new Set(results.map((result) => wordOf(method, result)));
  return WORDS[method].find((word) => found.has(word)) ?? '';
};

/** SPF of what the client called itself counts only where that of the sender's address is not told (RFC 7208 §2.3). */
const isOfHelo = ({ properties }: MethodResult): boolean =>
  properties.get('identity') === 'helo' ||
  (properties.has('smtp.helo') && !properties.has('smtp.mailfrom') && !properties.has('smtp.mail'));

/** How the notes of a DMARC result are called: `(p=REJECT sp=NONE dis=NONE)` of Google and OpenDMARC, `(policy=none)` of rspamd, properties of Fastmail and mailauth. */
const NOTES = {
  policy: ['p', 'policy', 'policy.p', 'policy.dmarc', 'policy.published-domain-policy'],
  subdomain: ['sp', 'policy.sp', 'policy.published-subdomain-policy'],
  disposition: ['dis', 'd', 'disposition', 'policy.dis', 'policy.disposition', 'policy.applied-disposition', 'action'],
};

/** Values of Microsoft's `action=` that name the policy too: it was overridden, or not applied since `pct=` exempted this message. */
const ACTIONS: ReadonlyMap<string, { policy: string; disposition: string }> = new Map([
  ['oreject', { policy: 'reject', disposition: 'quarantine' }],
  ['o.reject', { policy: 'reject', disposition: 'quarantine' }],
  ['pct.quarantine', { policy: 'quarantine', disposition: 'none' }],
  ['pct.reject', { policy: 'reject', disposition: 'none' }],
]);

const POLICIES = ['none', 'quarantine', 'reject'];

function policiesOf(results: readonly MethodResult[]): Pick<Verdicts, 'dmarc_policy' | 'dmarc_subdomain_policy' | 'dmarc_disposition'> {
  const notes = results.map(notesOf);
  const find = (names: readonly string[]): string => {
    for (const note of notes) {
      const value = names.map((name) => note.get(name)?.toLowerCase() ?? '').find((written) => POLICIES.includes(written));
      if (value !== undefined) return value;
    }
    return '';
  };
  const action = notes.map((note) => ACTIONS.get(note.get('action')?.toLowerCase() ?? '')).find((known) => known !== undefined);
  return {
    dmarc_policy: find(NOTES.policy) || (action?.policy ?? ''),
    dmarc_subdomain_policy: find(NOTES.subdomain),
    dmarc_disposition: find(NOTES.disposition) || (action?.disposition ?? ''),
  };
}

/** `name=value` of properties and comment. */
function notesOf({ properties, comment }: MethodResult): ReadonlyMap<string, string> {
  const notes = new Map(properties);
  for (const part of comment.split(/[\s,;]+/)) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0)).toLowerCase();
    if (name !== '' && !notes.has(name)) notes.set(name, part.slice(at + 1));
  }
  return notes;
}
