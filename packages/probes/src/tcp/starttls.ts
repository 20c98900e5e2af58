import { ProbeFailure } from '@vedette/contract';
import { escaped, type Talk } from './talk.ts';

export const STARTTLS = ['smtp', 'imap', 'pop3', 'ftp', 'ldap', 'xmpp', 'postgres', 'mysql'] as const;
export type StartTls = (typeof STARTTLS)[number];

/** Before TLS no server has to say more. */
const MAX_OCTETS = 8 * 1024;
const SHOWN_OCTETS = 120;

/** Asks the server to switch to TLS. `name` is its host. */
type Dialogue = (talk: Talk, name: string) => Promise<void>;

/**
 * Has the server begin TLS; after it the next octet is TLS's. Rejects with `ProbeFailure` starttls_failed: for a refusal, for what is not of
 * the protocol, and for plaintext behind the server's "go", which anybody on the way may have put there (CVE-2011-0411, CVE-2021-23222).
 */
export async function switchToTls(protocol: StartTls, talk: Talk, name: string): Promise<void> {
  try {
    await DIALOGUES[protocol](talk, name);
  } catch (error) {
    if (error instanceof ProbeFailure || talk.socket.destroyed) throw error;
    throw failed(error instanceof Error ? error.message : String(error), error);
  }
  const behind = talk.pending;
  if (behind.length > 0) throw failed(`plaintext behind the switch: ${shownOf(behind)}`);
}

/** The goodbye of a client that wants nothing, over TLS. */
export const FAREWELLS: Partial<Record<StartTls, string>> = {
  smtp: 'QUIT\r\n',
  imap: '. LOGOUT\r\n',
  pop3: 'QUIT\r\n',
  ftp: 'QUIT\r\n',
  xmpp: '</stream:stream>',
};

const failed = (seen: string, cause?: unknown): ProbeFailure => new ProbeFailure('starttls_failed', seen, { cause });
const shownOf = (octets: Uint8Array): string => escaped(octets.subarray(0, SHOWN_OCTETS));

/** What the protocol wants next; throws where it does not come. */
async function expected(talk: Talk, endOf: (heard: Buffer) => number, what: string): Promise<Buffer> {
  const heard = await talk.until(endOf, MAX_OCTETS);
  if (heard) return heard;
  throw failed(`the connection ended before ${what}`);
}

async function line(talk: Talk, what: string): Promise<string> {
  return (await expected(talk, (heard) => heard.indexOf(0x0a) + 1, what)).toString('latin1').replace(/\r?\n$/, '');
}

/** Lines of an answer until the last one, whose code has no hyphen behind it (RFC 5321 §4.2.1, RFC 959 §4.2). */
async function reply(talk: Talk, code: string, what: string): Promise<string[]> {
  const lines: string[] = [];
  do lines.push(await line(talk, what));
  while (!/^\d{3}(?: |$)/.test(lines.at(-1)!) && lines.join('').length < MAX_OCTETS);
  if (!lines.at(-1)!.startsWith(code)) throw failed(`${what}: ${shownOf(Buffer.from(lines.at(-1)!, 'latin1'))}`);
  return lines;
}

async function answer(talk: Talk, start: string, what: string): Promise<void> {
  const said = await line(talk, what);
  if (!said.startsWith(start)) throw failed(`${what}: ${shownOf(Buffer.from(said, 'latin1'))}`);
}

/** Untagged lines, and the tagged one that ends them (RFC 3501 §2.2.2). */
async function tagged(talk: Talk, what: string): Promise<string[]> {
  const lines: string[] = [];
  do lines.push(await line(talk, what));
  while (lines.at(-1)!.startsWith('* ') && lines.join('').length < MAX_OCTETS);
  if (!/^\. OK\b/i.test(lines.at(-1)!)) throw failed(`${what}: ${shownOf(Buffer.from(lines.at(-1)!, 'latin1'))}`);
  return lines;
}

/** The whole of an element, or of a start tag. */
const elementEnd =
  (pattern: RegExp) =>
  (heard: Buffer): number => {
    const match = pattern.exec(heard.toString('latin1'));
    return match ? match.index + match[0].length : 0;
  };

const DIALOGUES: Record<StartTls, Dialogue> = {
  async smtp(talk) {
    await reply(talk, '220', 'the greeting');
    talk.send(`EHLO ${addressLiteral(talk)}\r\n`);
    const offered = await reply(talk, '250', 'the answer to EHLO');
    if (!offered.some((each) => /^250[- ]STARTTLS\s*$/i.test(each))) throw failed('STARTTLS is not among what the server offers');
    talk.send('STARTTLS\r\n');
    await reply(talk, '220', 'the answer to STARTTLS');
  },
  async imap(talk) {
    await answer(talk, '* OK', 'the greeting');
    talk.send('. CAPABILITY\r\n');
    const offered = await tagged(talk, 'the answer to CAPABILITY');
    if (!offered.some((each) => /^\* CAPABILITY .*\bSTARTTLS\b/i.test(each))) throw failed('STARTTLS is not among what the server offers');
    talk.send('. STARTTLS\r\n');
    await tagged(talk, 'the answer to STARTTLS');
  },
  async pop3(talk) {
    await answer(talk, '+OK', 'the greeting');
    talk.send('STLS\r\n');
    await answer(talk, '+OK', 'the answer to STLS');
  },
  async ftp(talk) {
    await reply(talk, '220', 'the greeting');
    talk.send('AUTH TLS\r\n');
    await reply(talk, '234', 'the answer to AUTH TLS');
  },
  async ldap(talk) {
    talk.send(LDAP_STARTTLS);
    const message = await expected(talk, berEnd, 'the answer to StartTLS');
    // An ExtendedResponse (RFC 4511 §4.12) whose resultCode is success.
    const at = message.indexOf(0x78);
    const code = message.indexOf(Buffer.from([0x0a, 0x01]), at);
    if (at < 0 || code < 0) throw failed('the answer is not of LDAP');
    if (message[code + 2] !== 0) throw failed(`the answer to StartTLS: resultCode ${message[code + 2]}`);
  },
  async xmpp(talk, name) {
    talk.send(`<stream:stream xmlns:stream='http://etherx.jabber.org/streams' xmlns='jabber:client' to='${name}' version='1.0'>`);
    const features = await expected(talk, elementEnd(/<stream:features(?:\s[^<>]*)?(?:\/>|>[^]*<\/stream:features>)/), 'its features');
    if (!features.includes('urn:ietf:params:xml:ns:xmpp-tls')) throw failed('starttls is not among what the server offers');
    talk.send("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>");
    const said = await expected(
      talk,
      elementEnd(/<(?:proceed|failure)\b[^<>]*(?:\/>|>\s*<\/(?:proceed|failure)>)/),
      'the answer to starttls',
    );
    if (!said.toString('latin1').includes('<proceed')) throw failed(`the answer to starttls: ${shownOf(said)}`);
  },
  async postgres(talk) {
    talk.send(POSTGRES_SSL);
    const go = await expected(talk, (heard) => Math.min(heard.length, 1), 'the answer to SSLRequest');
    if (go[0] === 0x53) return;
    if (go[0] === 0x4e) throw failed('the server offers no TLS');
    throw failed(`the answer to SSLRequest: ${shownOf(Buffer.concat([go, talk.pending]))}`);
  },
  async mysql(talk) {
    const greeting = await expected(talk, mysqlEnd, 'the greeting');
    const versionEnd = greeting.indexOf(0, 5);
    if (greeting[4] === 0xff) throw failed(`the greeting: ${shownOf(greeting.subarray(7))}`);
    if (greeting[4] !== 10 || versionEnd < 0) throw failed('the greeting is not of MySQL');
    // Behind the version: thread, 8 octets of salt, a filler, and the lower half of what the server can.
    const canDo = greeting.length >= versionEnd + 16 ? greeting.readUInt16LE(versionEnd + 14) : 0;
    if ((canDo & MYSQL_SSL) === 0) throw failed('the server offers no TLS');
    const request = Buffer.alloc(36);
    request.writeUIntLE(32, 0, 3);
    request[3] = greeting[3]! + 1;
    request.writeUInt32LE(MYSQL_CLIENT, 4);
    request.writeUInt32LE(1 << 24, 8);
    request[12] = MYSQL_UTF8;
    talk.send(request);
  },
};

/** RFC 4511 §4.14.1: an ExtendedRequest with the OID of StartTLS. */
const LDAP_STARTTLS = Buffer.from('301d02010177188016312e332e362e312e342e312e313436362e3230303337', 'hex');
const POSTGRES_SSL = Buffer.from('0000000804d2162f', 'hex');
const MYSQL_SSL = 0x0800;
/** Long passwords, protocol 4.1, TLS, secure connections, authentication by plugin. */
const MYSQL_CLIENT = 0x1 | 0x200 | MYSQL_SSL | 0x8000 | 0x80000;
const MYSQL_UTF8 = 33;

/** Who has no name says its address (RFC 5321 §4.1.3). */
function addressLiteral({ socket: { localAddress = '127.0.0.1' } }: Talk): string {
  return localAddress.includes(':') ? `[IPv6:${localAddress}]` : `[${localAddress}]`;
}

/** The end of a value in BER with a definite length; 0 as long as it is not there. */
function berEnd(heard: Buffer): number {
  if (heard.length < 2) return 0;
  if (heard[0] !== 0x30) throw failed('the answer is not of LDAP');
  const first = heard[1]!;
  const octets = first & 0x7f;
  if (first < 0x80) return heard.length >= 2 + first ? 2 + first : 0;
  if (octets === 0 || octets > 4) throw failed('the answer is not of LDAP');
  if (heard.length < 2 + octets) return 0;
  const end = 2 + octets + heard.readUIntBE(2, octets);
  return heard.length >= end ? end : 0;
}

/** The end of a packet of MySQL: three octets of length, one of sequence. */
function mysqlEnd(heard: Buffer): number {
  if (heard.length < 5) return 0;
  const end = 4 + heard.readUIntLE(0, 3);
  return heard.length >= end ? end : 0;
}
