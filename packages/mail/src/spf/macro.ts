import { formatIp, type IpAddress } from '@vedette/contract';
import { shown } from '../findings/index.ts';
import { quoted } from '../tag-list/index.ts';

/** A term that RFC 7208's grammar does not allow; the message tells what is wrong with it. */
export class SpfSyntaxError extends Error {}

/** Part of a term for a message, with what is not seen in it named: a tab is white space in tag-lists, and parts no terms of SPF. */
export function quotedTerm(text: string): string {
  const blank = /[\t\r\n]/.exec(text)?.[0].charCodeAt(0);
  return blank === undefined ? quoted(text) : `"${shown(text)}" (U+000${blank.toString(16).toUpperCase()} is not a space)`;
}

/** A `%{…}` macro (RFC 7208 §7.1). */
export interface Macro {
  /** Lower case: s l o d i p v h, and c r t in explanations only. */
  letter: string;
  /** How many right-hand parts are kept; Infinity for all. */
  keep: number;
  reverse: boolean;
  delimiters: string;
  /** An upper-case letter asks for URL escaping (§7.3). */
  escape: boolean;
}
export type MacroPart = string | Macro;

/** A domain-spec: literal text and macros, in order. */
export interface DomainSpec {
  text: string;
  parts: readonly MacroPart[];
}

export const usesMacro = (spec: DomainSpec): boolean => spec.text.includes('%');
export const usesLetter = (spec: DomainSpec, letter: string): boolean =>
  spec.parts.some((part) => typeof part !== 'string' && part.letter === letter);

/** Macros whose value does not depend on the message: the domain under evaluation, and the domain of the sender. */
const CONSTANT_LETTERS = new Set(['d', 'o']);
/** Is never looked at where only constant letters are expanded. */
const NO_CLIENT: IpAddress = { version: 4, value: 0n };

/** The domain whose record is read, and the one whose senders are asked about: where the reading began. */
export interface Reading {
  domain: string;
  host: string;
}

/**
 * The name that a domain-spec comes to for every sender of the host, without regard to whether it can be asked. Undefined where only
 * an evaluation knows it, since a macro stands for something of the message.
 */
export function constantName(spec: DomainSpec, { domain, host }: Reading): string | undefined {
  if (spec.parts.some((part) => typeof part !== 'string' && !CONSTANT_LETTERS.has(part.letter))) return undefined;
  return expand(spec, { ip: NO_CLIENT, sender: `@${host}`, helo: '', domain, validatedName: '' });
}

const TOKEN =
  /%\{(?<letter>[a-z])(?<digits>\d*)(?<reverse>r?)(?<delimiters>[.\-+,/_=]*)\}|%(?<escape>[%_-])|(?<literal>[\x21-\x24\x26-\x7e]+)/iy;
const LITERAL_ESCAPES: Record<string, string> = { '%': '%', _: ' ', '-': '%20' };
const LETTERS = 'slodipvh';
const EXPLANATION_LETTERS = 'crt';

/** Parses a macro-string (RFC 7208 §7.1). Throws `SpfSyntaxError`. */
export function parseMacroString(text: string, letters = LETTERS + EXPLANATION_LETTERS): MacroPart[] {
  return tokens(text, letters).map(({ part }) => part);
}

/** Parses a domain-spec: a macro-string that ends in a macro or in a dot and a top label (§7.1). Throws `SpfSyntaxError`. */
export function parseDomainSpec(text: string): DomainSpec {
  const found = tokens(text, LETTERS);
  const last = found.at(-1);
  if (!last) throw new SpfSyntaxError('the domain name is missing');
  if (last.literal && !endsInTopLabel(last.part as string)) throw new SpfSyntaxError(`${quotedTerm(text)} is not a full domain name`);
  return { text, parts: found.map(({ part }) => part) };
}

function tokens(text: string, letters: string): { part: MacroPart; literal: boolean }[] {
  const found: { part: MacroPart; literal: boolean }[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const groups = TOKEN.exec(text)?.groups;
    if (!groups) throw new SpfSyntaxError(`${quotedTerm(text.slice(at))} is not a valid macro or contains a character that is not allowed`);
    if (groups.literal !== undefined) found.push({ part: groups.literal, literal: true });
    else if (groups.escape !== undefined) found.push({ part: LITERAL_ESCAPES[groups.escape]!, literal: false });
    else found.push({ part: macroOf(groups, letters), literal: false });
  }
  return found;
}

function macroOf(groups: Record<string, string | undefined>, letters: string): Macro {
  const { letter = '', digits = '', reverse, delimiters } = groups;
  if (!letters.includes(letter.toLowerCase())) throw new SpfSyntaxError(`the macro letter "${letter}" is not allowed here`);
  if (digits !== '' && Number(digits) === 0) throw new SpfSyntaxError('a macro cannot keep 0 parts');
  return {
    letter: letter.toLowerCase(),
    keep: digits === '' ? Infinity : Number(digits),
    reverse: reverse !== '',
    delimiters: delimiters === '' ? '.' : delimiters!,
    escape: letter !== letter.toLowerCase(),
  };
}

/** The values of macros while one domain is evaluated (RFC 7208 §7.2). */
export interface MacroValues {
  ip: IpAddress;
  sender: string;
  helo: string;
  domain: string;
  /** The validated name of the client; asked for only where `%{p}` stands. */
  validatedName: string;
}

/** Only the last parts show in 253 octets, unless hundreds of macros expand to nothing. */
const PARTS_MAX = 256;

/** Expands a domain-spec into the name to ask, lower case, without the root's dot, cut from the left to 253 octets (§7.3). */
export function expand(spec: DomainSpec, values: MacroValues): string {
  let name = '';
  // From the right, as far as it shows: a record of 64 KB could say 16,000 macros.
  for (const part of spec.parts.slice(-PARTS_MAX).reverse()) {
    name = (typeof part === 'string' ? part : expandMacro(part, values)) + name;
    if (name.length > NAME_MAX + 2) break; // the root's dot, and the one before the first label that stays
  }
  return shorten(name.replace(/\.$/, '').toLowerCase());
}

function expandMacro({ letter, keep, reverse, delimiters, escape }: Macro, values: MacroValues): string {
  const parts: string[] = [''];
  for (const char of macroValue(letter, values))
    if (delimiters.includes(char)) parts.push('');
    else parts[parts.length - 1] += char;
  if (reverse) parts.reverse();
  const text = parts.slice(-Math.min(keep, parts.length)).join('.');
  return escape ? urlEscape(text) : text;
}

function macroValue(letter: string, { ip, sender, helo, domain, validatedName }: MacroValues): string {
  const at = sender.lastIndexOf('@');
  switch (letter) {
    case 's':
      return sender;
    case 'l':
      return sender.slice(0, at);
    case 'o':
      return sender.slice(at + 1);
    case 'd':
      return domain;
    case 'i':
      return ip.version === 4 ? formatIp(ip) : Array.from(ip.value.toString(16).padStart(32, '0')).join('.');
    case 'p':
      return validatedName;
    case 'v':
      return ip.version === 4 ? 'in-addr' : 'ip6';
    default:
      return helo;
  }
}

const urlEscape = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const NAME_MAX = 253;

function shorten(name: string): string {
  if (name.length <= NAME_MAX) return name;
  const dot = name.indexOf('.', name.length - NAME_MAX - 1);
  return dot === -1 ? name : name.slice(dot + 1);
}

/** Whether an expanded name can be asked: two labels or more, each of 1–63 visible characters, under a top label (§4.3, §7.1). */
export function isTargetName(name: string): boolean {
  const labels = name.split('.');
  return (
    name.length <= NAME_MAX && labels.length > 1 && labels.every((label) => /^[\x20-\x7e]{1,63}$/.test(label)) && isTopLabel(labels.at(-1)!)
  );
}

function endsInTopLabel(literal: string): boolean {
  const name = literal.replace(/\.$/, '');
  const dot = name.lastIndexOf('.');
  return dot !== -1 && isTopLabel(name.slice(dot + 1));
}

const isTopLabel = (label: string): boolean => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label) && !/^\d+$/.test(label);
