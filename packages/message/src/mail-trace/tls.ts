import type { Clauses } from './clauses.ts';

const VERSION = /\bTLS[ _]?v?1[._]([0-3])\b/i;
/** Suites that no other version has (RFC 8446 §B.4), where the version is not said. */
const SUITE_OF_1_3 = /\bTLS_(?:AES_(?:128|256)_[GC]CM|CHACHA20_POLY1305)_/;
/** OpenSSL's old name for any cipher since SSL 3.0, whatever the version was. */
const ANY_VERSION = /TLSv1\/SSLv3/i;
const FIRST_VERSION = /\bTLSv1\b(?![._])/i;
const OLD = /\bSSLv([23])\b/i;
const NO_VERSION = /\b(?:encrypted|STARTTLS)\b|Transport Security|^TLS$/i;
/** SMTPS, ESMTPS, ESMTPSA, LMTPS and their UTF8 forms (RFC 3848, RFC 6531); ESMTP/TLS/… of Cisco. */
const SECURE = /^(?:utf8)?(?:e?smtp|lmtp)sa?$|\/TLS\b/i;
const PLAIN = /^(?:utf8)?(?:e?smtp|lmtp)a?$/i;

/** How a hop was encrypted, as its server noted it. */
export function tlsOf({ from, by, with: protocol, id, for: recipient, rest }: Clauses): string {
  // Comments with an address hold the client's HELO and the name of that address, which say nothing about TLS.
  const beside = from.comments.filter((comment) => !/[[\]]|\b[he][eh]lo\b/i.test(comment));
  // Exim and Haraka name it in words of the clause.
  const notes = [...beside, ...[by, protocol, id, recipient, rest].flatMap(({ comments }) => comments), ...protocol.words];
  for (const note of notes) {
    const version = VERSION.exec(note)?.[1];
    if (version !== undefined) return `TLS1.${version}`;
  }
  if (notes.some((note) => SUITE_OF_1_3.test(note))) return 'TLS1.3';
  if (notes.some((note) => ANY_VERSION.test(note))) return 'tls';
  if (notes.some((note) => FIRST_VERSION.test(note))) return 'TLS1.0';
  const old = notes.map((note) => OLD.exec(note)?.[1]).find((found) => found !== undefined);
  if (old !== undefined) return `SSL${old}.0`;
  if (protocol.words.some((word) => SECURE.test(word)) || notes.some((note) => NO_VERSION.test(note))) return 'tls';
  // Amazon SES writes SMTP whether or not there was TLS.
  if (/\.amazonaws\.com$/i.test(by.words[0] ?? '')) return '';
  const words = protocol.words.join(' ');
  return words === 'Microsoft SMTP Server' || protocol.words.some((word) => PLAIN.test(word)) ? 'none' : '';
}
