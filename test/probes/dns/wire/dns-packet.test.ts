import packet, { type Answer } from 'dns-packet';
import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeQuery } from '../../../../packages/probes/src/dns/wire/message.ts';
import { encodeName } from '../../../../packages/probes/src/dns/wire/name.ts';
import { hex, LIES, message, ODD_NAMES, reading, record, RECORDS, type WireMessage } from './messages.ts';
import { encodePeerQuery } from './peer-query.ts';

/** What dns-packet makes of a message, as far as it can be said in our words. */
function readByDnsPacket(octets: Buffer): string {
  try {
    // Left out of its types.
    const { rcode, answers } = packet.decode(octets) as packet.DecodedPacket & { rcode: string };
    return reading(rcode, (answers ?? []).map(inOurWords));
  } catch {
    return 'refused';
  }
}

function inOurWords(answer: Answer): { type: string; ttl: number; data: unknown } {
  if (answer.type === 'OPT') return { type: 'OPT', ttl: 0, data: answer.options };
  return { type: typeName(answer.type), ttl: answer.ttl ?? 0, data: dataInOurWords(answer) };
}

function dataInOurWords(answer: Answer): unknown {
  switch (answer.type) {
    case 'CAA': {
      const { flags, tag, value } = answer.data;
      return { flags, tag, value };
    }
    case 'DNSKEY': {
      const { flags, algorithm, key } = answer.data;
      return { flags, protocol: 3, algorithm, publicKey: key }; // refuses any other protocol
    }
    case 'RRSIG': {
      const {
        originalTTL: originalTtl,
        signersName: signerName,
        typeCovered,
        algorithm,
        labels,
        expiration,
        inception,
        keyTag,
        signature,
      } = answer.data;
      return { typeCovered, algorithm, labels, originalTtl, expiration, inception, keyTag, signerName, signature };
    }
    case 'NSEC':
      return { nextName: answer.data.nextDomain, types: answer.data.rrtypes.map(typeName) };
    case 'NSEC3': {
      const { algorithm: hashAlgorithm, flags, iterations, salt, nextDomain: nextHash, rrtypes } = answer.data;
      return { hashAlgorithm, optOut: (flags & 1) === 1, iterations, salt, nextHash, types: rrtypes.map(typeName) };
    }
    default:
      return 'data' in answer ? answer.data : undefined;
  }
}

const typeName = (type: string): string => type.replace(/^UNKNOWN_/, 'TYPE');

const TABLES: [string, WireMessage[]][] = [
  ['a record', RECORDS],
  ['a name', ODD_NAMES],
  ['a message that lies', LIES],
];

describe.each(TABLES)('%s', (_what, rows) => {
  it.each(rows)('$what, by dns-packet: $dnsPacket', ({ octets, ours, dnsPacket }) => {
    expect(readByDnsPacket(octets)).toBe(dnsPacket ?? ours);
  });

  it('is read differently in the rows that give a reason, and only there', () => {
    const differs = ({ ours, dnsPacket }: WireMessage) => dnsPacket !== undefined && dnsPacket !== ours;
    expect(rows.filter((row) => differs(row) !== (row.why !== undefined)).map(({ what }) => what)).toEqual([]);
  });
});

describe('RDATA as it was signed (RFC 4034 §6.2)', () => {
  /** dns-packet hands over no RDATA; it can only be written anew from what was decoded. */
  const rebuilt = (type: number, rdata: string): string => {
    const { answers } = packet.decode(message(record(type, rdata)));
    const octets = packet.encode({ type: 'response', answers: (answers ?? []).map((answer) => ({ ...answer, name: '.' })) });
    return octets.subarray(12 + 1 + 10).toString('hex');
  };

  it.each([
    ['an MX record', 15, '000a 02 6d78 00', '000a026d7800'],
    ['a label with a dot', 2, '03 612e62 00', '0161016200'],
    ['a label with the octet FF', 2, '01 ff 00', '03efbfbd00'],
    ['a CAA value that is no UTF-8', 257, '00 01 61 ff', '000161efbfbd'],
    ['NSEC3 with flags', 50, '01 01 000c 00 01 ff 0001 40', '0101000c0001ff000140'],
  ])('%s: ours, and what dns-packet can give', (_what, type, rdata, theirs) => {
    const ours = Buffer.from(decodeMessage(message(record(type, rdata))).answers[0]!.rdata).toString('hex');
    expect([ours, rebuilt(type, rdata)]).toEqual([rdata.replaceAll(' ', ''), theirs]);
  });
});

describe('a query', () => {
  it('for a plain name is the same, octet for octet', () => {
    const query = { name: encodeName('www.example.test')!, type: 28, recursionDesired: true, checkingDisabled: false, dnssec: true };
    const theirs = encodePeerQuery('AAAA', 'www.example.test');
    expect(encodeQuery(query, true).octets).toEqual(theirs);
  });

  /** The question as dns-packet writes it. */
  const theirQuestion = (name: string): string =>
    packet
      .encode({ questions: [{ type: 'A', name }] })
      .subarray(12)
      .toString('hex');
  const A_IN = '00010001';

  it.each([
    ['an empty label', 'a..org', `0161 00 03 6f7267 00 ${A_IN}`, 'the question of `a`, and octets behind it'],
    ['a label of 64 octets', `${'a'.repeat(64)}.b`, `40 ${'61'.repeat(64)} 01 62 00 ${A_IN}`, 'a label of an unknown type'],
    ['a label of 192 octets', `${'a'.repeat(192)}.b`, `c0 ${'61'.repeat(192)} 01 62 00 ${A_IN}`, 'a pointer'],
    ['letters beyond ASCII', 'ü', `02 c3bc 00 ${A_IN}`, 'another name than its A-label'],
    ['300 octets', 'a.'.repeat(150), `${'0161'.repeat(150)} 00 ${A_IN}`, 'more than a name may have'],
  ])('for a name with %s is refused, where dns-packet writes it', (_what, name, question) => {
    expect([encodeName(name), theirQuestion(name)]).toEqual([undefined, question.replaceAll(' ', '')]);
  });

  it(String.raw`for a\.b keeps the dot in its label, where dns-packet makes two labels`, () => {
    const name = String.raw`a\.b`;
    expect([encodeName(name), theirQuestion(name)]).toEqual([hex('03 612e62 00'), `02615c016200${A_IN}`]);
  });
});
