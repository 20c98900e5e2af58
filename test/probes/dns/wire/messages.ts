/** Octets of a text of hexadecimal digits and spaces. */
export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
const text = (value: string): string => Buffer.from(value, 'latin1').toString('hex');

const HEADER = '0001 8180 0001 0001 0000 0000';
export const QUESTION = '01 61 00 0001 0001';
/** A response to `a. IN A`, its answer section given in hexadecimal. */
export const message = (answers: string, header = HEADER): Buffer => hex(header + QUESTION + answers);
/** One record of the question's name: the pointer is to offset 12. */
export const record = (type: number, rdata: string, length = hex(rdata).length): string =>
  `c00c ${type.toString(16).padStart(4, '0')} 0001 0000003c ${length.toString(16).padStart(4, '0')} ${rdata}`;
const one = (type: number, rdata: string, length?: number): Buffer => message(record(type, rdata, length));

/** What a server sent, and what each decoder makes of it, as `reading` writes it. */
export interface WireMessage {
  what: string;
  octets: Buffer;
  ours: string;
  /** Where dns-packet reads it differently. */
  dnsPacket?: string;
  /** Why we want our reading. */
  why?: string;
}

/** `NOERROR A 60 "192.0.2.1"`: the rcode, then type, TTL and data of each answer; octets in hexadecimal, cut where it gets long. */
export function reading(rcode: string, answers: readonly { type: string; ttl: number; data: unknown }[]): string {
  const shown = answers.map(({ type, ttl, data }) => `${type} ${ttl} ${JSON.stringify(octetsAsHex(data))}`);
  return [rcode, ...shown].join(' ').slice(0, 200);
}

function octetsAsHex(data: unknown): unknown {
  if (data instanceof Uint8Array) return Buffer.from(data).toString('hex').slice(0, 16);
  if (Array.isArray(data)) return data.map(octetsAsHex);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, octetsAsHex(value)]));
}

const REFUSED = 'refused';
const UNKNOWN = 'a report shows these types, and what the RDATA says decides what a browser does';
const NAMES = 'two names that differ must not read the same: one may be judged, the other contacted';
const LENGTH = 'RDATA that is not what its length says is malformed; a value made up would be reported as the answer';

/** One record of every type that we show, and of one that nobody knows. */
export const RECORDS: WireMessage[] = [
  { what: 'A', octets: one(1, 'c0000201'), ours: 'NOERROR A 60 "192.0.2.1"' },
  { what: 'AAAA', octets: one(28, '20010db8000000000000000000000001'), ours: 'NOERROR AAAA 60 "2001:db8::1"' },
  { what: 'NS', octets: one(2, '02 6e73 c00c'), ours: 'NOERROR NS 60 "ns.a"' },
  { what: 'CNAME', octets: one(5, '01 63 c00c'), ours: 'NOERROR CNAME 60 "c.a"' },
  { what: 'DNAME', octets: one(39, '01 64 c00c'), ours: 'NOERROR DNAME 60 "d.a"' },
  { what: 'PTR', octets: one(12, '01 70 c00c'), ours: 'NOERROR PTR 60 "p.a"' },
  { what: 'MX', octets: one(15, '000a 02 6d78 c00c'), ours: 'NOERROR MX 60 {"preference":10,"exchange":"mx.a"}' },
  { what: 'the root as a target', octets: one(15, '0000 00'), ours: 'NOERROR MX 60 {"preference":0,"exchange":"."}' },
  {
    what: 'SOA, a dot in its mailbox',
    octets: one(6, `02 6e73 c00c 03 ${text('a.b')} c00c 00000001 00000002 00000003 00000004 00000005`),
    ours: String.raw`NOERROR SOA 60 {"mname":"ns.a","rname":"a\\.b.a","serial":1,"refresh":2,"retry":3,"expire":4,"minimum":5}`,
  },
  { what: 'TXT of two strings', octets: one(16, `01 ${text('a')} 02 ${text('bc')}`), ours: 'NOERROR TXT 60 ["61","6263"]' },
  {
    what: 'SRV',
    octets: one(33, '0001 0002 0050 01 73 c00c'),
    ours: 'NOERROR SRV 60 {"priority":1,"weight":2,"port":80,"target":"s.a"}',
  },
  {
    what: 'CAA',
    octets: one(257, `80 05 ${text('issue')} ${text('ca.test')}`),
    ours: 'NOERROR CAA 60 {"flags":128,"tag":"issue","value":"ca.test"}',
  },
  {
    what: 'TLSA',
    octets: one(52, `03 01 01 ${'ab'.repeat(32)}`),
    ours: 'NOERROR TLSA 60 {"usage":3,"selector":1,"matchingType":1,"certificate":"abababababababab"}',
  },
  {
    what: 'DS',
    octets: one(43, `3039 0d 02 ${'ab'.repeat(32)}`),
    ours: 'NOERROR DS 60 {"keyTag":12345,"algorithm":13,"digestType":2,"digest":"abababababababab"}',
  },
  {
    what: 'DNSKEY',
    octets: one(48, `0101 03 0d ${'ab'.repeat(64)}`),
    ours: 'NOERROR DNSKEY 60 {"flags":257,"protocol":3,"algorithm":13,"publicKey":"abababababababab"}',
  },
  {
    what: 'RRSIG',
    octets: one(46, `0001 0d 02 0000012c 6b36ec80 6a000000 3039 01 73 00 ${'ab'.repeat(64)}`),
    ours: 'NOERROR RRSIG 60 {"typeCovered":"A","algorithm":13,"labels":2,"originalTtl":300,"expiration":1798761600,"inception":1778384896,"keyTag":12345,"signerName":"s","signature":"abababababababab"}',
  },
  {
    what: 'NSEC',
    octets: one(47, '01 62 00 0006 400000000003'),
    ours: 'NOERROR NSEC 60 {"nextName":"b","types":["A","RRSIG","NSEC"]}',
  },
  {
    what: 'NSEC3',
    octets: one(50, '01 01 000c 02 aabb 05 0001020304 0006 400000000002'),
    ours: 'NOERROR NSEC3 60 {"hashAlgorithm":1,"optOut":true,"iterations":12,"salt":"aabb","nextHash":"0001020304","types":["A","RRSIG"]}',
  },
  {
    what: 'NSEC3PARAM',
    octets: one(51, '01 00 000a 02 aabb'),
    ours: 'NOERROR NSEC3PARAM 60 {"hashAlgorithm":1,"flags":0,"iterations":10,"salt":"aabb"}',
    dnsPacket: 'NOERROR NSEC3PARAM 60 "0100000a02aabb"',
    why: UNKNOWN,
  },
  {
    what: 'SVCB',
    octets: one(64, '0010 01 73 00 0003 0002 20fb'),
    ours: 'NOERROR SVCB 60 {"priority":16,"target":"s","params":"port=8443"}',
    dnsPacket: 'NOERROR TYPE64 60 "0010017300000300"',
    why: UNKNOWN,
  },
  {
    what: 'HTTPS',
    octets: one(65, `0001 00 0001 0006 02 ${text('h2')} 02 ${text('h3')}`),
    ours: String.raw`NOERROR HTTPS 60 {"priority":1,"target":".","params":"alpn=\"h2,h3\""}`,
    dnsPacket: 'NOERROR TYPE65 60 "0001000001000602"',
    why: UNKNOWN,
  },
  {
    what: 'a type that nobody knows',
    octets: one(65_280, '0a0b'),
    ours: 'NOERROR TYPE65280 60 undefined', // shown from its RDATA, RFC 3597 §5
    dnsPacket: 'NOERROR TYPE65280 60 "0a0b"',
    why: 'the same: our RDATA is beside the data',
  },
];

/** Names as a hostile or careless server writes them. */
export const ODD_NAMES: WireMessage[] = [
  {
    what: 'letters in upper case',
    octets: one(2, `03 ${text('WwW')} 00`),
    ours: 'NOERROR NS 60 "www"',
    dnsPacket: 'NOERROR NS 60 "WwW"',
    why: 'case does not count (RFC 4343), and one spelling is what everything else compares',
  },
  {
    what: 'a dot inside a label',
    octets: one(2, `03 ${text('a.b')} 00`),
    ours: String.raw`NOERROR NS 60 "a\\.b"`,
    dnsPacket: 'NOERROR NS 60 "a.b"',
    why: NAMES,
  },
  {
    what: 'a NUL',
    octets: one(2, `03 ${text('a\0b')} 00`),
    ours: String.raw`NOERROR NS 60 "a\\000b"`,
    dnsPacket: String.raw`NOERROR NS 60 "a\u0000b"`,
    why: 'names go into logs and reports',
  },
  {
    what: 'the octet FE',
    octets: one(2, '01 fe 00'),
    ours: String.raw`NOERROR NS 60 "\\254"`,
    dnsPacket: 'NOERROR NS 60 "\ufffd"',
    why: NAMES,
  },
  {
    what: 'the octet FF',
    octets: one(2, '01 ff 00'),
    ours: String.raw`NOERROR NS 60 "\\255"`,
    dnsPacket: 'NOERROR NS 60 "\ufffd"',
    why: NAMES,
  },
  {
    what: 'a backslash',
    octets: one(2, '01 5c 00'),
    ours: String.raw`NOERROR NS 60 "\\\\"`,
    dnsPacket: String.raw`NOERROR NS 60 "\\"`,
    why: NAMES,
  },
  { what: '256 octets', octets: one(2, `3f${'61'.repeat(63)}`.repeat(3) + `3e${'61'.repeat(62)}00`), ours: REFUSED },
  { what: 'a pointer to itself', octets: one(2, 'c01f'), ours: REFUSED },
  { what: 'a pointer forward', octets: one(2, 'c0ff'), ours: REFUSED },
  { what: 'half a pointer', octets: one(2, 'c0'), ours: REFUSED },
  { what: 'a label of type 01 (RFC 6891 §5)', octets: one(2, '41 61 00'), ours: REFUSED },
];

/** Messages whose counts, lengths or fields do not hold. */
export const LIES: WireMessage[] = [
  { what: 'a header cut off', octets: hex('0001 8180 0001 0001'), ours: REFUSED },
  { what: 'more questions than there are', octets: hex(`0001 8180 ffff 0000 0000 0000 ${QUESTION}`), ours: REFUSED },
  { what: 'more answers than there are', octets: message(record(1, 'c0000201'), '0001 8180 0001 ffff 0000 0000'), ours: REFUSED },
  { what: 'more additionals than there are', octets: message(record(1, 'c0000201'), '0001 8180 0001 0001 0000 0001'), ours: REFUSED },
  { what: 'RDATA past the end', octets: one(1, 'c0000201', 5), ours: REFUSED, dnsPacket: 'NOERROR A 60 "192.0.2.1"', why: LENGTH },
  { what: 'an A record of 3 octets', octets: one(1, 'c00002'), ours: REFUSED, dnsPacket: 'NOERROR A 60 "192.0.2.undefined"', why: LENGTH },
  { what: 'an A record of 5 octets', octets: one(1, 'c000020100'), ours: REFUSED, dnsPacket: 'NOERROR A 60 "192.0.2.1"', why: LENGTH },
  { what: 'an AAAA record of 15 octets', octets: one(28, '00'.repeat(15)), ours: REFUSED, dnsPacket: 'NOERROR AAAA 60 "::"', why: LENGTH },
  { what: 'an MX record without a name', octets: one(15, '000a'), ours: REFUSED },
  {
    what: 'an NS record with something behind the name',
    octets: one(2, 'c00c 00'),
    ours: REFUSED,
    dnsPacket: 'NOERROR NS 60 "a"',
    why: LENGTH,
  },
  { what: 'an NS record whose name goes on behind its RDATA', octets: message(record(2, '03 6e73', 2) + '00'), ours: REFUSED },
  { what: 'a TXT string longer than the RDATA', octets: one(16, '05 61'), ours: REFUSED },
  { what: 'an SOA record without its numbers', octets: one(6, 'c00c c00c 00000001'), ours: REFUSED },
  { what: 'an SRV record of 5 octets', octets: one(33, '0001000100'), ours: REFUSED },
  {
    what: 'a CAA record whose tag is longer than the RDATA',
    octets: one(257, '00 ff 61'),
    ours: REFUSED,
    dnsPacket: 'NOERROR CAA 60 {"flags":0,"tag":"a","value":""}',
    why: LENGTH,
  },
  { what: 'a TLSA record of 2 octets', octets: one(52, '0301'), ours: REFUSED },
  { what: 'an RRSIG record without a signer', octets: one(46, '0001 08 01 0000003c 00000000 00000000 0001'), ours: REFUSED },
  {
    what: 'an NSEC record with an empty bitmap',
    octets: one(47, 'c00c 00 00'),
    ours: REFUSED,
    dnsPacket: 'NOERROR NSEC 60 {"nextName":"a","types":[]}',
    why: 'RFC 4034 §4.1.2: a denial is believed by its bitmap',
  },
  {
    what: 'an NSEC record with windows out of order',
    octets: one(47, 'c00c 01 01 80 00 01 80'),
    ours: REFUSED,
    dnsPacket: 'NOERROR NSEC 60 {"nextName":"a","types":["TYPE256","TYPE0"]}',
    why: 'RFC 4034 §4.1.2: a denial is believed by its bitmap',
  },
  {
    what: 'an NSEC record with a bitmap of 33 octets',
    octets: one(47, `c00c 00 21 ${'00'.repeat(32)}01`),
    ours: REFUSED,
    dnsPacket: 'NOERROR NSEC 60 {"nextName":"a","types":["TYPE263"]}',
    why: 'RFC 4034 §4.1.2: a denial is believed by its bitmap',
  },
  { what: 'an NSEC3 record whose salt is longer than the RDATA', octets: one(50, '01 00 0001 ff 00'), ours: REFUSED },
  {
    what: 'an HTTPS record with half a parameter',
    octets: one(65, '0001 00 0001'),
    ours: REFUSED,
    dnsPacket: 'NOERROR TYPE65 60 "0001000001"',
    why: LENGTH,
  },
  {
    what: 'an HTTPS record whose parameter is longer than the RDATA',
    octets: one(65, '0001 00 0001 0005 02 6832'),
    ours: REFUSED,
    dnsPacket: 'NOERROR TYPE65 60 "0001000001000502"',
    why: LENGTH,
  },
  {
    what: 'a record of another class',
    octets: message('c00c 0010 0003 00000000 0002 0161'),
    ours: 'NOERROR',
    dnsPacket: 'NOERROR TXT 0 ["61"]',
    why: 'nobody asked for CHAOS; its class would have to be looked at everywhere',
  },
  {
    what: 'a TTL with the top bit set',
    octets: message('c00c 0001 0001 80000001 0004 c0000201'),
    ours: 'NOERROR A 0 "192.0.2.1"',
    dnsPacket: 'NOERROR A 2147483649 "192.0.2.1"',
    why: 'RFC 2181 §8: it counts as 0',
  },
  {
    what: 'an rcode that goes on in OPT',
    octets: hex(`0001 8180 0001 0000 0000 0001 ${QUESTION} 00 0029 04d0 01000000 0000`),
    ours: 'BADVERS',
    dnsPacket: 'NOERROR',
    why: 'RFC 6891 §6.1.3: no error would be read where there is one',
  },
];
