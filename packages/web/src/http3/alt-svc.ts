/** An alternative service, RFC 7838 §3. */
export interface AltService {
  /** ALPN identifier, its percent-encoding undone. */
  alpn: string;
  /** Empty: that of the origin. */
  host: string;
  port: number;
  /** Seconds for which it holds; 86,400 where it does not say. */
  maxAge: number;
  /** It holds on other networks too. */
  persist: boolean;
}

export interface AltSvc {
  /** All alternatives are withdrawn, those beside it too. */
  clear: boolean;
  services: readonly AltService[];
  /** The first unreadable part and the rest of its field; empty if all were readable. */
  malformed: string;
}

const SERVICES_MAX = 32;
const DAY_S = 86_400;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = String.raw`"((?:[^"\\]|\\.)*)"`;
const ALTERNATIVE = new RegExp(`(${TOKEN})=${QUOTED}`, 'y');
const PARAMETER = new RegExp(String.raw`[ \t]*;[ \t]*(?:(${TOKEN})=(?:${QUOTED}|(${TOKEN})))?`, 'y');
const END = /[ \t]*(?:,[ \t,]*|$)/y;

/** Reads the values of the Alt-Svc fields of one answer. Text after an unreadable part is ignored, as in browsers. */
export function readAltSvc(values: readonly string[]): AltSvc {
  const services: AltService[] = [];
  let malformed = '';
  for (const value of values) {
    if (value.trim() === 'clear') return { clear: true, services: [], malformed: '' };
    const unread = readField(value, services);
    malformed ||= unread;
  }
  return { clear: false, services, malformed };
}

/** Adds what it reads; returns what it cannot. */
function readField(value: string, services: AltService[]): string {
  let at = /^[ \t,]*/.exec(value)![0].length;
  const next = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(value) ?? undefined;
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (at < value.length && services.length < SERVICES_MAX) {
    const from = at;
    const alternative = next(ALTERNATIVE);
    const authority = alternative && authorityOf(unquote(alternative[2]!));
    if (!authority) return value.slice(from);
    const service: AltService = { alpn: percentDecode(alternative[1]!), ...authority, maxAge: DAY_S, persist: false };
    for (let parameter = next(PARAMETER); parameter; parameter = next(PARAMETER)) {
      const [, name = '', quoted, token = ''] = parameter;
      const text = quoted === undefined ? token : unquote(quoted);
      // Unknown parameters are ignored, and so is any value of persist but 1.
      if (name === 'ma' && /^\d+$/.test(text)) service.maxAge = Math.min(Number(text), Number.MAX_SAFE_INTEGER);
      if (name === 'persist') service.persist = text === '1';
    }
    if (!next(END)) return value.slice(from);
    services.push(service);
  }
  return '';
}

const unquote = (text: string): string => text.replaceAll(/\\(.)/g, '$1');

/** `[ uri-host ] ":" port` (RFC 3986 §3.2.2); undefined for anything else. */
function authorityOf(text: string): { host: string; port: number } | undefined {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[^:@/?#\s[\]]*):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  return match && port > 0 && port <= 65_535 ? { host: match[1]!.toLowerCase(), port } : undefined;
}

/** Octets that are not UTF-8 are shown one by one. */
function percentDecode(text: string): string {
  const octets = Buffer.from(
    text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  const decoded = octets.toString('utf8');
  return decoded.includes('\ufffd') ? octets.toString('latin1') : decoded;
}
