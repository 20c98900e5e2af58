import { isObject, type Members, plainText } from '../report/shape.ts';

/** A step of a chain: where it is, and what is said of it. */
export interface Step {
  title: string;
  notes: readonly string[];
  tone: 'good' | 'warn' | 'bad' | 'none';
}

interface Chain {
  heading: string;
  steps: readonly Step[];
}

/** More steps than these are in the table below alone. */
const MAX_STEPS = 50;

const objects = (value: unknown): Members[] => (Array.isArray(value) ? (value as unknown[]).filter(isObject) : []);
const filled = (notes: readonly unknown[]): string[] => notes.map(plainText).filter((note) => note !== '');

function redirect(hop: Members): Step {
  const { url, status_code: status, status_message: meaning, redirect_type: type, ip, elapsed_ms: ms, error } = hop;
  const info = isObject(hop['redirect_info']) ? hop['redirect_info'] : {};
  const isDown = info['https_to_http'] === true;
  const hasFailed = plainText(error) !== '';
  const code = typeof status === 'number' ? status : 0;
  return {
    title: plainText(url),
    notes: filled([
      code > 0 ? `${code} ${plainText(meaning)}` : '',
      type === '' ? '' : `by ${plainText(type)}`,
      isDown ? 'leaves https' : '',
      ip,
      typeof ms === 'number' ? `${ms} ms` : '',
      error,
    ]),
    tone: hasFailed ? 'bad' : isDown || code >= 400 ? 'warn' : code >= 300 ? 'none' : 'good',
  };
}

/** Sources of certificates in words; `store` and the like are words of the API. */
const SOURCES: Readonly<Record<string, string>> = {
  sent: 'sent by the server',
  store: 'in the trust store',
  fetched: 'fetched from its issuer',
};

function certificate({ subject, source, valid_to: until, key_algorithm: algorithm, key_size: size }: Members): Step {
  const from = plainText(source);
  return {
    title: plainText(subject),
    notes: filled([
      Object.hasOwn(SOURCES, from) ? SOURCES[from] : from,
      plainText(until) === '' ? '' : `valid until ${plainText(until)}`,
      `${plainText(algorithm)} ${plainText(size)}`.trim(),
    ]),
    tone: 'none',
  };
}

/** The chain that a report is about, in its order. */
export function chainOf(operation: string, report: Members): Chain | undefined {
  const steps = stepsOf(operation, report).slice(0, MAX_STEPS);
  if (steps.length < 2) return undefined;
  return { heading: operation === 'ssl-info' ? 'Certificate chain' : 'Redirects', steps };
}

function stepsOf(operation: string, { chain, redirects }: Members): Step[] {
  if (operation === 'url-status') return objects(chain).map(redirect);
  if (operation === 'ssl-info') return objects(chain).map(certificate);
  if (operation === 'security-headers' && Array.isArray(redirects))
    return (redirects as unknown[]).map((url) => ({ title: plainText(url), notes: [], tone: 'none' }));
  return [];
}
