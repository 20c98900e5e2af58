import { isObject, type Members, objectsOf, plainText } from '../report/shape.ts';

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

/** A delay that is worth a look. */
const SLOW_HOP_S = 300;

function mailHop({
  helo,
  hostname,
  ip_address: ip,
  by,
  protocol,
  tls,
  date_time_normalized: date,
  delay_s: delay,
  is_of_recipient: isTheirs,
}: Members): Step {
  const seconds = typeof delay === 'number' ? delay : 0;
  const client = [plainText(hostname) || plainText(helo), plainText(ip) === '' ? '' : `[${plainText(ip)}]`].filter(Boolean).join(' ');
  return {
    title:
      [client === '' ? '' : `from ${client}`, plainText(by) === '' ? '' : `to ${plainText(by)}`].filter(Boolean).join(' ') ||
      'names no server',
    notes: filled([
      date,
      seconds > 0 ? `+${durationOf(seconds)}` : seconds < 0 ? `the clocks disagree by ${durationOf(-seconds)}` : '',
      protocol,
      tls === 'none' ? 'without TLS' : tls,
      isTheirs === true ? '' : 'by the word of the sender',
    ]),
    tone: seconds > SLOW_HOP_S ? 'warn' : isTheirs === true ? 'good' : 'none',
  };
}

const durationOf = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;

const TRUST: Readonly<Record<string, Step['tone']>> = { secure: 'good', insecure: 'warn', bogus: 'bad' };

function zone({ zone: name, status, ...rest }: Members): Step {
  const word = plainText(status);
  return {
    title: plainText(name),
    notes: filled([word, ...Object.values(rest)]),
    tone: Object.hasOwn(TRUST, word) ? TRUST[word]! : 'none',
  };
}

interface ChainKind {
  heading: string;
  /** The least steps that are a chain. */
  least: number;
  steps: (report: Members) => Step[];
}

const CHAINS: Readonly<Record<string, ChainKind>> = {
  'url-status': { heading: 'Redirects', least: 2, steps: ({ chain }) => objectsOf(chain).map(redirect) },
  'url-reputation': { heading: 'Redirects', least: 2, steps: ({ hops }) => objectsOf(hops).map(redirect) },
  'security-headers': {
    heading: 'Redirects',
    least: 2,
    steps: ({ redirects }) =>
      Array.isArray(redirects) ? (redirects as unknown[]).map((url) => ({ title: plainText(url), notes: [], tone: 'none' })) : [],
  },
  'ssl-info': { heading: 'Certificate chain', least: 2, steps: ({ chain }) => objectsOf(chain).map(certificate) },
  'dnssec-status': { heading: 'Chain of trust', least: 1, steps: ({ chain }) => objectsOf(chain).map(zone) },
  'eml-insights': { heading: 'Way of the message', least: 1, steps: ({ hops }) => objectsOf(hops).map(mailHop) },
};

/** The chain that a report is about, in its order. */
export function chainOf(operation: string, report: Members): Chain | undefined {
  const kind = Object.hasOwn(CHAINS, operation) ? CHAINS[operation] : undefined;
  const steps = kind?.steps(report).slice(0, MAX_STEPS) ?? [];
  return kind && steps.length >= kind.least ? { heading: kind.heading, steps } : undefined;
}
