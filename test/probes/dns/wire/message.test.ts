import fc from 'fast-check';
import packet, { type Answer } from 'dns-packet';
import { describe, expect, it } from 'vitest';
import { decodeMessage } from '../../../../packages/probes/src/dns/wire/message.ts';
import { MalformedMessage } from '../../../../packages/probes/src/dns/wire/name.ts';
import { hex, LIES, message, ODD_NAMES, QUESTION, reading, record, RECORDS } from './messages.ts';
import { runs } from '../../../runs.ts';

/** What we make of a message. */
function read(octets: Buffer): string {
  try {
    const { rcode, answers } = decodeMessage(octets);
    return reading(rcode, answers);
  } catch (error) {
    if (error instanceof MalformedMessage) return 'refused';
    throw error;
  }
}

it.each([...RECORDS, ...ODD_NAMES, ...LIES])('$what: $ours', ({ octets, ours }) => {
  expect(read(octets)).toBe(ours);
});

describe('a message', () => {
  it('has octets behind its end, records of other classes, a TTL below zero: they do not count', () => {
    const chaos = 'c00c 0010 0003 00000000 0002 0161';
    const decoded = decodeMessage(message(`c00c 0001 0001 80000001 0004 c0000201 ${chaos} dead`, '0001 8180 0001 0002 0000 0000'));
    expect(decoded.answers).toEqual([{ name: 'a', type: 'A', ttl: 0, rdata: hex('c0000201'), data: '192.0.2.1' }]);
  });

  it('takes its rcode from OPT too (RFC 6891 §6.1.3), and OPT is not a record', () => {
    const decoded = decodeMessage(hex(`0001 8180 0001 0000 0000 0001 ${QUESTION} 00 0029 04d0 01000000 0000`));
    expect(decoded).toEqual({ aa: false, ad: false, rcode: 'BADVERS', answers: [], authorities: [], additionals: [] });
  });

  it.each([
    ['one with a text, behind another option', '000a 0001 ff 000f 0007 0006 68 65 6c 6c 6f', [{ code: 6, text: 'hello' }]],
    [
      'two without',
      '000f 0002 0007 000f 0002 ffff',
      [
        { code: 7, text: '' },
        { code: 65_535, text: '' },
      ],
    ],
    ['one whose text ends with a zero', '000f 0004 0006 61 00', [{ code: 6, text: 'a' }]],
    ['one that is cut off', '000f 0009 0006 61', [{ code: 6, text: 'a' }]],
    ['one without its code', '000f 0001 06', undefined],
  ])('has extended errors in OPT (RFC 8914): %s', (_, options, extendedErrors) => {
    const octets = hex(options.replaceAll(' ', ''));
    const length = octets.length.toString(16).padStart(4, '0');
    const { extendedErrors: decoded } = decodeMessage(
      Buffer.concat([hex(`0001 8182 0001 0000 0000 0001 ${QUESTION} 00 0029 04d0 00000000 ${length}`), octets]),
    );
    expect(decoded).toEqual(extendedErrors);
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

describe('fuzz', () => {
  const decodesOrRefuses = (octets: Buffer) => {
    try {
      decodeMessage(octets);
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedMessage);
    }
  };
  // One record of each type that has a decoder, and some that have none.
  const types = [1, 2, 5, 6, 12, 15, 16, 17, 28, 29, 33, 35, 39, 41, 43, 44, 46, 47, 48, 50, 51, 52, 64, 65, 256, 257, 65_280];

  it('random RDATA of every type is decoded or refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 80 }), (type, rdata) =>
        decodesOrRefuses(message(record(type, Buffer.from(rdata).toString('hex')))),
      ),
      { numRuns: runs(5000) },
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
      { numRuns: runs(5000) },
    );
  });
});
