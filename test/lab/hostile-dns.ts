/**
 * An authoritative server that breaks the protocol as the first label of the name says, up to its first hyphen:
 * `wrongid-1.lab-hostile.com`. `node hostile-dns.ts ADDRESS`; prints who asked for what.
 */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const PUBLIC = '93.100.1.1';
const TYPE_A = 1;
const HEADER_BYTES = 12;
const QR_AA = 0x8400;
const TC = 0x0200;
const RCODE = { servfail: 2, notimp: 4, refused: 5 } as const;

const self = process.argv[2]!;
const asked = new Map<string, number>();

interface Query {
  id: number;
  name: string;
  type: number;
  /** The question section as it came, to be repeated. */
  question: Buffer;
}

/** Reads a query of one question (RFC 1035 §4.1); undefined when it is none. */
function parse(message: Buffer): Query | undefined {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at]; length !== 0; length = message[at]) {
    if (length === undefined || length > 63) return undefined;
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  const end = at + 5;
  if (message.length < end) return undefined;
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.'),
    type: message.readUInt16BE(at + 1),
    question: message.subarray(HEADER_BYTES, end),
  };
}

interface Reply {
  address?: string;
  ttl?: number;
  flags?: number;
  id?: number;
  question?: Buffer;
}

/** Writes a response with one A record, or none. */
function encode(query: Query, { address, ttl = 60, flags = 0, id = query.id, question = query.question }: Reply): Buffer {
  const answered = address !== undefined && query.type === TYPE_A;
  const header = Buffer.alloc(HEADER_BYTES);
  [id, QR_AA | flags, 1, answered ? 1 : 0].forEach((word, index) => header.writeUInt16BE(word, index * 2));
  if (!answered) return Buffer.concat([header, question]);
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc00c, 0); // the question's name
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(ttl, 6);
  record.writeUInt16BE(4, 10);
  record.set(address.split('.').map(Number), 12);
  return Buffer.concat([header, question, record]);
}

/** What to send back; undefined for silence. */
function respond(query: Query, transport: 'udp' | 'tcp'): Buffer | undefined {
  const mode = query.name.split('.')[0]!.split('-')[0]!;
  switch (mode) {
    case 'silent':
      return undefined;
    case 'wrongid':
      return encode(query, { address: PUBLIC, id: (query.id + 1) & 0xffff });
    case 'garbage':
      return Buffer.from('this is not a DNS message, whatever it looks like');
    case 'short':
      return encode(query, { address: PUBLIC }).subarray(0, 7);
    case 'servfail':
    case 'notimp':
    case 'refused':
      return encode(query, { flags: RCODE[mode] });
    case 'truncated':
      return encode(query, transport === 'udp' ? { flags: TC } : { address: PUBLIC });
    case 'otherquestion':
      return encode(query, { question: Buffer.from('\x05other\x00\x00\x01\x00\x01', 'latin1') });
    case 'rebind': {
      // Public while it is judged, ours when it is dialled: every second answer leads inside, none may be cached.
      const times = (asked.get(query.name) ?? 0) + (query.type === TYPE_A ? 1 : 0);
      asked.set(query.name, times);
      return encode(query, { address: times % 2 === 1 ? PUBLIC : '127.0.0.1', ttl: 0 });
    }
    case 'ns1':
      return encode(query, { address: self });
    default:
      return encode(query, { address: PUBLIC });
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`);

const udp = createSocket('udp4', (message, client) => {
  const query = parse(message);
  if (!query) return;
  say(`${client.address} ${query.name} ${query.type}`);
  const answer = respond(query, 'udp');
  if (answer) udp.send(answer, client.port, client.address);
});
udp.bind(53, self, () => {
  createServer((socket) => {
    socket.on('error', () => undefined); // clients leave as they please
    socket.once('data', (message: Buffer) => {
      const query = parse(message.subarray(2));
      const answer = query && respond(query, 'tcp');
      if (!answer) return socket.destroy();
      say(`${socket.remoteAddress} ${query.name} ${query.type}`);
      return socket.end(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 0xff]), answer]));
    });
  }).listen(53, self, () => say('ready'));
});
