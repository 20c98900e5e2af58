import fc from 'fast-check';
import packet, { type Answer } from 'dns-packet';
import { describe, expect, it } from 'vitest';
import { decodeMessage } from '../../../../packages/probes/src/dns/wire/message.ts';
import { MalformedMessage } from '../../../../packages/probes/src/dns/wire/name.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
/** A response to `a. IN TYPE`, its answer section given as octets. */
const HEADER = '0001 8180 0001 0001 0000 0000';
const QUESTION = '01 61 00 0001 0001';
const message = (answers: string, header = HEADER) => hex(header + QUESTION + answers);
/** One record of the question's name: the pointer is to offset 12. */
const record = (type: number, rdata: string, length = hex(rdata).length) =>
  `c00c ${type.toString(16).padStart(4, '0')} 0001 0000003c ${length.toString(16).padStart(4, '0')} ${rdata}`;

describe('a message that lies', () => {
  it.each([
    ['a header cut off', hex('0001 8180 0001 0001')],
    ['more questions than there are', hex('0001 8180 ffff 0000 0000 0000' + QUESTION)],
    ['more answers than there are', message(record(1, 'c0000201'), '0001 8180 0001 ffff 0000 0000')],
    ['more additionals than there are', message(record(1, 'c0000201'), '0001 8180 0001 0001 0000 0001')],
    ['RDATA past the end', message(record(1, 'c0000201', 5))],
    ['an A record of 3 octets', message(record(1, 'c00002'))],
    ['an A record of 5 octets', message(record(1, 'c000020100'))],
    ['an AAAA record of 15 octets', message(record(28, '00'.repeat(15)))],
    ['an MX record without a name', message(record(15, '000a'))],
    ['an NS record with something behind the name', message(record(2, 'c00c 00'))],
    ['an NS record whose name goes on behind its RDATA', message(record(2, '03 6e73', 2) + '00')],
    ['a name that points to itself', message(record(2, 'c01f'))],
    ['a name that points forward', message(record(2, 'c0ff'))],
    ['a TXT string longer than the RDATA', message(record(16, '05 61'))],
    ['an SOA record without its numbers', message(record(6, 'c00c c00c 00000001'))],
    ['an SRV record of 5 octets', message(record(33, '0001000100'))],
    ['a CAA record whose tag is longer than the RDATA', message(record(257, '00 ff 61'))],
    ['a TLSA record of 2 octets', message(record(52, '0301'))],
    ['an RRSIG record without a signer', message(record(46, '0001 08 01 0000003c 00000000 00000000 0001'))],
    ['an NSEC record with an empty bitmap', message(record(47, 'c00c 00 00'))],
    ['an NSEC record with a bitmap of 33 octets', message(record(47, `c00c 00 21 ${'ff'.repeat(33)}`))],
    ['an NSEC record with windows out of order', message(record(47, 'c00c 01 01 80 00 01 80'))],
    ['an NSEC3 record whose salt is longer than the RDATA', message(record(50, '01 00 0001 ff 00'))],
    ['an HTTPS record with half a parameter', message(record(65, '0001 00 0001'))],
    ['an HTTPS record whose parameter is longer than the RDATA', message(record(65, '0001 00 0001 0005 02 6832'))],
  ])('is refused: %s', (_, octets) => {
    expect(() => decodeMessage(octets)).toThrow(MalformedMessage);
  });

  it('has octets behind its end, records of other classes, a TTL below zero: they do not count', () => {
    const chaos = 'c00c 0010 0003 00000000 0002 0161';
    const decoded = decodeMessage(message(`c00c 0001 0001 80000001 0004 c0000201 ${chaos} dead`, '0001 8180 0001 0002 0000 0000'));
    expect(decoded.answers).toEqual([{ name: 'a', type: 'A', ttl: 0, rdata: hex('c0000201'), data: '192.0.2.1' }]);
  });

  it('takes its rcode from OPT too (RFC 6891 §6.1.3), and OPT is not a record', () => {
    const decoded = decodeMessage(hex(`0001 8180 0001 0000 0000 0001 ${QUESTION} 00 0029 04d0 01000000 0000`));
    expect(decoded).toEqual({ aa: false, ad: false, rcode: 'BADVERS', answers: [], authorities: [], additionals: [] });
  });

  it('of 64 KiB full of pointers is decoded in full', () => {
    const longName = `3f${'61'.repeat(63)}`.repeat(3) + `3d${'61'.repeat(61)}00`;
    const first = record(2, longName);
    const at = 12 + 7 + 12; // the first record's RDATA
    const others = Math.floor((65_535 - message(first).length) / 14);
    const octets = message(first + record(2, `c0${at.toString(16)}`).repeat(others));
    octets.writeUInt16BE(others + 1, 6);
    const { answers } = decodeMessage(octets);
    expect([answers.length, new Set(answers.map(({ data }) => data)).size]).toEqual([others + 1, 1]);
  });
});

describe('RDATA', () => {
  const rdataOf = (octets: Buffer) => Buffer.from(decodeMessage(octets).answers[0]!.rdata).toString('hex');
  it.each([
    [
      'SOA, names written out and in lower case',
      record(6, `c00c 01 41 c00c ${'00000001'.repeat(5)}`),
      `016100 01610161 00 ${'00000001'.repeat(5)}`,
    ],
    ['MX', record(15, '000a 01 4d c00c'), '000a 016d 0161 00'],
    ['SRV', record(33, '0001 0002 0003 01 53 c00c'), '0001 0002 0003 0173 0161 00'],
    ['RRSIG', record(46, `${'00'.repeat(18)} 01 53 00 ffff`), `${'00'.repeat(18)} 0173 00 ffff`],
    ['NSEC, case kept (RFC 6840 §5.1)', record(47, '01 4e 00 00 01 40'), '014e00 000140'],
    ['HTTPS, case kept', record(65, '0001 01 48 00'), '0001 0148 00'],
    ['NAPTR, behind three strings', record(35, '0001 0002 01 55 00 02 4142 01 4e c00c'), '0001 0002 0155 00 024142 016e 0161 00'],
    ['RP, two names', record(17, '01 52 c00c c00c'), '0172 0161 00 0161 00'],
    ['a type that nobody knows, as it is', record(65_280, '01 41 c00c'), '0141 c00c'],
  ])('is in its canonical form (RFC 4034 §6.2): %s', (_, answer, canonical) => {
    expect(rdataOf(message(answer))).toBe(canonical.replaceAll(' ', ''));
  });
});

it('agrees with dns-packet', () => {
  const answers: Answer[] = [
    { type: 'A', name: 'a.test', ttl: 1, data: '192.0.2.1' },
    { type: 'AAAA', name: 'a.test', ttl: 2, data: '2001:db8::1' },
    { type: 'MX', name: 'a.test', ttl: 3, data: { preference: 10, exchange: 'mx.a.test' } },
    { type: 'SRV', name: 'a.test', ttl: 4, data: { priority: 1, weight: 2, port: 3, target: 'srv.a.test' } },
    { type: 'CAA', name: 'a.test', ttl: 5, data: { flags: 128, tag: 'issue', value: 'ca.test', issuerCritical: true } },
    { type: 'NSEC', name: 'a.test', ttl: 6, data: { nextDomain: 'b.a.test', rrtypes: ['A', 'RRSIG', 'NSEC', 'CAA'] } },
    { type: 'DS', name: 'a.test', ttl: 7, data: { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.from('ab') } },
  ];
  const octets = packet.encode({ type: 'response', id: 1, questions: [{ type: 'A', name: 'a.test' }], answers });
  expect(decodeMessage(octets).answers.map(({ name, type, ttl, data }) => ({ name, type, ttl, data }))).toEqual([
    { name: 'a.test', type: 'A', ttl: 1, data: '192.0.2.1' },
    { name: 'a.test', type: 'AAAA', ttl: 2, data: '2001:db8::1' },
    { name: 'a.test', type: 'MX', ttl: 3, data: { preference: 10, exchange: 'mx.a.test' } },
    { name: 'a.test', type: 'SRV', ttl: 4, data: { priority: 1, weight: 2, port: 3, target: 'srv.a.test' } },
    { name: 'a.test', type: 'CAA', ttl: 5, data: { flags: 128, tag: 'issue', value: 'ca.test' } },
    { name: 'a.test', type: 'NSEC', ttl: 6, data: { nextName: 'b.a.test', types: ['A', 'RRSIG', 'NSEC', 'CAA'] } },
    { name: 'a.test', type: 'DS', ttl: 7, data: { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.from('ab') } },
  ]);
});

describe('fuzz', () => {
  const decodesOrRefuses = (octets: Buffer) => {
    try {
      decodeMessage(octets);
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedMessage);
    }
  };
  // One record of each type that has a decoder, and some that have none.
  const types = [1, 2, 5, 6, 12, 15, 16, 17, 28, 33, 35, 39, 41, 43, 46, 47, 48, 50, 51, 52, 64, 65, 257, 65_280];

  it('random RDATA of every type is decoded or refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 80 }), (type, rdata) =>
        decodesOrRefuses(message(record(type, Buffer.from(rdata).toString('hex')))),
      ),
      { numRuns: 5000 },
    );
  });

  it('a message changed in any octets, or cut anywhere, is decoded or refused', () => {
    const good = packet.encode({
      type: 'response',
      questions: [{ type: 'A', name: 'www.example.test' }],
      answers: [
        { type: 'CNAME', name: 'www.example.test', data: 'example.test' },
        { type: 'SOA', name: 'example.test', data: { mname: 'ns.example.test', rname: 'host.example.test', serial: 1 } },
        { type: 'TXT', name: 'example.test', data: ['one', 'two'] },
        { type: 'NSEC', name: 'example.test', data: { nextDomain: 'b.example.test', rrtypes: ['A', 'CAA'] } },
        { type: 'UNKNOWN_65', name: 'example.test', data: hex('0001 00 0001 0006 026832 026833') } as unknown as Answer,
      ],
      additionals: [
        { type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, extendedRcode: 0, ednsVersion: 0, flag_do: false, options: [] },
      ],
    });
    const changes = fc.array(fc.tuple(fc.nat({ max: good.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(changes, fc.nat({ max: good.length }), (octets, end) => {
        const bad = Buffer.from(good);
        for (const [at, octet] of octets) bad[at] = octet;
        decodesOrRefuses(bad);
        decodesOrRefuses(bad.subarray(0, end));
      }),
      { numRuns: 5000 },
    );
  });
});
