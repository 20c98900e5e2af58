import { refanged } from '../text/index.ts';

/** The kinds of subjects, as far as the shape of a text tells. */
export type SubjectKind = 'url' | 'address' | 'email' | 'asn' | 'phone' | 'host' | 'eml_base64' | 'html_base64' | 'image_base64';

export interface Subject {
  kind: SubjectKind;
  /** The text as an operation takes it. */
  value: string;
  /** The port of `host:port`. */
  port?: number;
}

/** Kinds in words, for people. */
export const KIND_WORDS: Readonly<Record<SubjectKind, string>> = {
  url: 'URL',
  address: 'IP address',
  email: 'mailbox',
  asn: 'autonomous system',
  phone: 'telephone number',
  host: 'host name',
  eml_base64: 'e-mail message',
  html_base64: 'HTML page',
  image_base64: 'picture',
};

export const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;
const V6 = /^(?=[\da-f:.]*:[\da-f:.]*:)[\da-f:.]{2,45}$/i;
export const isV6 = (text: string): boolean => V6.test(text) && URL.canParse(`http://[${text}]/`);
/** Numbers of other kinds, which telephones could have: four of an address, a date. */
const NO_PHONE = /^\d+(?:\.\d+){3}$|^\d{4}([-.])\d{1,2}\1\d{1,2}$|^\d{1,2}([-.])\d{1,2}\2\d{4}$/;
const LABELS = /^(?=.{1,253}\.?$)(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?\.)+[\p{L}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]\.?$/u;
const MAX_CHARS = 4096;

/** The subject of a line of text, by its shape alone: nothing is looked up. Defanged text counts as what it stands for. */
export function understand(text: string): Subject | undefined {
  const value = refanged(text.slice(0, MAX_CHARS).trim());
  if (value === '' || /\s/.test(value.replace(/^\+?[\d\s().-]+$/, ''))) return undefined;
  if (/^https?:\/\/[^\s/]/i.test(value)) return { kind: 'url', value };
  if (/^as\d{1,10}$/i.test(value)) return { kind: 'asn', value: value.toUpperCase() };
  const bare = value.replace(/^\[(.*)\]$/, '$1');
  if (V4.test(bare) || isV6(bare)) return { kind: 'address', value: bare };
  const [, named, port] = /^([^/:@\s]+):(\d{1,5})$/.exec(value) ?? [];
  if (named !== undefined && Number(port) <= 65_535) {
    const subject = understand(named);
    if (subject?.kind === 'host' || subject?.kind === 'address') return { ...subject, port: Number(port) };
  }
  if (/^[^\s@/:]{1,64}@[^\s@/]{1,253}$/.test(value)) return { kind: 'email', value };
  if (/^\+?[\d\s().-]{7,24}$/.test(value) && value.replaceAll(/\D/g, '').length >= 7 && !NO_PHONE.test(value))
    return { kind: 'phone', value };
  if (LABELS.test(value)) return { kind: 'host', value };
  const [, host] = /^([^/?#\s]+)[/?#]/.exec(value) ?? [];
  if (host !== undefined && LABELS.test(host.replace(/:\d{1,5}$/, ''))) return { kind: 'url', value: `https://${value}` };
  return undefined;
}
