import { type Clause, type ClauseName, CLAUSES, type Clauses } from './clauses.ts';
import { formatIp, parseIp, unmapped } from '@vedette/contract';
import { tlsOf } from './tls.ts';
import { type Token, tokensOf } from './tokens.ts';

/** The content of one Received field (RFC 5321 §4.4, and the dialects of servers). Missing texts are empty. */
export interface Hop {
  /** The name that the client gave in HELO. */
  helo: string;
  /** The name that the server found for the client's address. */
  name: string;
  /** Whether it found one; `unsaid` where it does not say that it looked. */
  rdns: 'named' | 'none' | 'unsaid';
  /** The client's, in canonical text. */
  address: string;
  /** The server, and its own address where it says so. */
  by: string;
  byAddress: string;
  /** The words behind `with`, in lower case, such as esmtps. */
  protocol: string;
  id: string;
  /** The client logged in: it submits a message of its own, and is not a server. */
  authenticated: boolean;
  /** TLS1.3 and its like; `tls` where no version is said, `none` for a protocol without; empty where that is not known. */
  tls: string;
}

/** Reads a Received field. */
export function readHop(raw: string): Hop {
  const clauses = clausesOf(tokensOf(raw));
  const { from, by, with: protocol, id } = clauses;
  const server = by.words[0] ?? '';
  const byAddress = addressIn(server) || (by.comments.map(addressIn).find((found) => found !== '') ?? '');
  return {
    ...clientOf(from, { words: by.words, comments: [...by.comments, ...protocol.comments] }),
    by: hostName(server),
    byAddress,
    protocol: protocol.words.join(' ').toLowerCase(),
    id: id.words[0] ?? '',
    authenticated: isAuthenticated(clauses),
    tls: tlsOf(clauses),
  };
}

function clausesOf(tokens: readonly Token[]): Clauses {
  const clauses: Clauses = { from: none(), by: none(), via: none(), with: none(), id: none(), for: none(), rest: none() };
  let current: Clause = clauses.rest;
  let dated = false;
  for (const { kind, text } of tokens) {
    const word = text.toLowerCase();
    if (kind === 'semicolon') {
      dated = true;
      current = clauses.rest; // comments behind the date are still about this hop, as Yandex writes them
    } else if (kind === 'comment') current.comments.push(text);
    else if (kind === 'word' && !dated && isClause(word)) current = clauses[word];
    else current.words.push(text);
  }
  return clauses;
}

const none = (): Clause => ({ words: [], comments: [] });
const isClause = (word: string): word is ClauseName => CLAUSES.some((clause) => clause === word);

const GREETING = /(?:^|[\s(,])(?:helo|ehlo)[ =]\s*([^\s,)]+)/i;
const BRACKETED = /\[(?:IPv6:)?([0-9a-fA-F:.]{2,45})(?:%[^\]\s]{1,16})?\]/gi;
const GREETING_BEFORE = /(?:helo|ehlo)=?\s*$/i;

/** The client as the server saw it: what stands last in brackets is the address of the connection, since only what is before it can be the client's own word. */
function clientOf(from: Clause, server: Clause): Pick<Hop, 'helo' | 'name' | 'rdns' | 'address'> {
  const said = from.words[0] ?? '';
  const info = from.comments.findLast((comment) => addressIn(comment) !== '');
  // `from mail.example.org (EHLO a.example) [192.0.2.1]`
  const last = from.words.findLast((word) => word.startsWith('[')) ?? said;
  const address = info === undefined ? addressIn(last) || addressIn(said) : addressIn(info);
  const greeting = from.comments.map((comment) => GREETING.exec(comment)?.[1]).find((found) => found !== undefined);
  if (greeting !== undefined) return { address, helo: hostName(greeting), ...lookedUp(addressIn(said) === '' ? said : '', server) };
  const noted = info === undefined ? '' : notedName(info);
  if (noted !== '') return { address, helo: hostName(said), ...lookedUp(noted, server) };
  if (isExim(server) && info !== undefined) return { address, helo: hostName(said), ...lookedUp(said, server) }; // leaves the greeting out where it is the name
  const looked = info?.startsWith('[') === true && (isSendmail(server) || isGoogle(server)) ? 'none' : 'unsaid';
  return { address, helo: addressIn(said) !== '' && info === undefined ? '' : hostName(said), name: '', rdns: looked };
}

/** The name before the address, as in `mail.example.org [192.0.2.1]`, without the user that RFC 1413 asked for. */
function notedName(info: string): string {
  const at = info.search(/\[/);
  const before = at < 0 ? '' : info.slice(0, at).trim();
  return before.split(/[\s@]/).at(-1) ?? '';
}

/** Words that servers write for an address without a name. */
const NAMELESS = new Set(['unknown', '<unknown>', 'no-name', 'nxdomain', 'noreverse', 'nordns', 'reverse']);

function lookedUp(written: string, server: Clause): Pick<Hop, 'name' | 'rdns'> {
  const name = hostName(written);
  if (NAMELESS.has(name)) return { name: '', rdns: 'none' };
  if (name !== '') return { name, rdns: 'named' };
  return { name: '', rdns: isExim(server) ? 'none' : 'unsaid' };
}

const isExim = ({ comments }: Clause): boolean => comments.some((comment) => /^exim/i.test(comment));
/** `8.17.1/8.17.1`: its own version and that of its settings. */
const isSendmail = ({ comments }: Clause): boolean => comments.some((comment) => /^8\.\d+\.\d+[^ ]*\/\S/.test(comment));
const isGoogle = ({ words }: Clause): boolean => /(?:^|\.)google\.com$/i.test(words[0] ?? '');

/** The address in a text: the last one in brackets that is not a greeting, or the text itself. Zones are dropped, and IPv4 stands for its mapped form. */
export function addressIn(text: string): string {
  let found = '';
  for (const match of text.matchAll(BRACKETED)) {
    if (GREETING_BEFORE.test(text.slice(Math.max(0, match.index - 8), match.index))) continue;
    found = canonical(match[1]!) || found;
  }
  return found || canonical(text.slice(text.lastIndexOf('@') + 1));
}

/** An address with its port, as Momentum and XMail (`192.0.2.1:5678`), and Exim of old (`192.0.2.1.5678`) write it. */
const WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3})[:.]\d{1,5}$/;

function canonical(text: string): string {
  const ip = text.length > 45 ? undefined : parseIp(WITH_PORT.exec(text)?.[1] ?? text);
  return ip === undefined ? '' : formatIp(unmapped(ip));
}

/** No name has more characters. */
const NAME_MAX_CHARS = 255;
export const hostName = (word: string): string =>
  word
    .slice(0, NAME_MAX_CHARS)
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();

/** RFC 3848: ESMTPA, ESMTPSA, and what servers say in words. */
function isAuthenticated({ from, by, with: protocol, rest }: Clauses): boolean {
  if (protocol.words.some((word) => /^(?:utf8)?(?:e?smtp|lmtp)s?a$/i.test(word))) return true;
  return [from, by, protocol, rest].some(({ comments }) =>
    comments.some((comment) => /^(?:smtp-)?(?:authenticated|account|auth[ :=])/i.test(comment)),
  );
}
