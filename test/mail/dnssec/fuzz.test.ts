import type { DnsRecord, Resolver } from '@vedette/contract';
import { budgeted } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { DNSSEC_STATUSES, parseTrustAnchors, validate } from '@vedette/mail/dnssec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dnskey, verifies } from '../../../packages/mail/src/dnssec/keys.ts';
import { compareNames, nameFromWire, nameOf, nameText, nameToWire, sameName } from '../../../packages/mail/src/dnssec/names.ts';
import { answerOf, NOW } from './signer.ts';
import { runs } from '../../runs.ts';

const octets = (maxLength = 80) => fc.uint8Array({ maxLength });
const name = fc.constantFrom(
  '.',
  'test',
  'a.test',
  'b.a.test',
  '*.test',
  '*.a.test',
  '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.test',
  String.raw`\000.test`,
);
const algorithm = fc.constantFrom(0, 5, 8, 10, 13, 14, 15, 16, 253);
const type = fc.constantFrom('A', 'CNAME', 'DNAME', 'DS', 'DNSKEY', 'NSEC', 'NSEC3', 'SOA');
const types = fc.subarray(['A', 'NS', 'SOA', 'DS', 'CNAME', 'DNAME', 'NSEC3']);
const u16 = fc.nat(0xffff);

const data: Record<string, fc.Arbitrary<unknown>> = {
  A: fc.constant('192.0.2.1'),
  CNAME: name,
  DNAME: name,
  DS: fc.record({ keyTag: u16, algorithm, digestType: fc.nat(5), digest: octets(48) }),
  DNSKEY: fc.record({ flags: fc.constantFrom(0, 256, 257, 385), protocol: fc.constantFrom(0, 3), algorithm, publicKey: octets(300) }),
  RRSIG: fc.record({
    typeCovered: type,
    algorithm,
    labels: fc.nat(255),
    originalTtl: fc.nat(),
    expiration: fc.nat(0xffffffff),
    inception: fc.nat(0xffffffff),
    keyTag: u16,
    signerName: name,
    signature: octets(520),
  }),
  NSEC: fc.record({ nextName: name, types }),
  NSEC3: fc.record({ hashAlgorithm: fc.nat(3), optOut: fc.boolean(), iterations: u16, salt: octets(255), nextHash: octets(32), types }),
  SOA: fc.constant({ mname: '.', rname: '.', serial: 0, refresh: 0, retry: 0, expire: 0, minimum: 0 }),
};
const recordOf = fc.constantFrom(...Object.keys(data)).chain(
  (kind) =>
    fc.record({
      name,
      type: fc.constant(kind),
      ttl: fc.nat(),
      data: data[kind]!,
      rdata: octets(600),
    }) as fc.Arbitrary<unknown> as fc.Arbitrary<DnsRecord>,
);
const section = fc.array(recordOf, { maxLength: 12 });
const answer = fc.record({ rcode: fc.constantFrom('NOERROR', 'NXDOMAIN', 'SERVFAIL'), answers: section, authorities: section });

describe('hostile input', () => {
  it('always ends in a verdict, never in an exception, and never in "secure"', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 8 }), type, async (answers, asked) => {
        let at = 0;
        const liar: Resolver = {
          servers: [],
          addresses: () => Promise.resolve([]),
          query: () => Promise.resolve(answerOf(answers[at++ % answers.length]!)),
        };
        using resolver = budgeted(liar, { questions: 60 }, systemClock);
        const anchors = [{ keyTag: 1, algorithm: 8, digestType: 2, digest: new Uint8Array(32) }];
        const { verdict } = await validate('b.a.test', asked, { resolver, anchors, now: NOW, signal: new AbortController().signal });
        expect(DNSSEC_STATUSES).toContain(verdict.status);
        expect(verdict.status).not.toBe('secure');
      }),
      { numRuns: runs(2000) },
    );
  });

  it('no octets are a key that verifies anything', () => {
    fc.assert(
      fc.property(algorithm, octets(600), octets(200), octets(600), (number, publicKey, bytes, signature) => {
        const key = {
          name: 'test',
          type: 'DNSKEY',
          ttl: 1,
          rdata: publicKey,
          data: { flags: 256, protocol: 3, algorithm: number, publicKey },
        } as Dnskey;
        expect(verifies(key, bytes, signature)).toBe(false);
      }),
      { numRuns: runs(3000) },
    );
  });

  it('anchors that are none throw an Error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(() => parseTrustAnchors(text)).toThrowError(/^trust anchors/);
      }),
    );
  });
});

describe('names', () => {
  const labels = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 6 });
  const parsed = labels.map((list) =>
    nameFromWire(Buffer.concat([...list.map((label) => Buffer.concat([Buffer.from([label.length]), label])), Buffer.from([0])]))!,
  );

  it('keep every octet on the way through text and wire', () => {
    fc.assert(
      fc.property(parsed, (one) => {
        expect(sameName(nameOf(nameText(one)), one)).toBe(true);
        expect(nameFromWire(nameToWire(one))).toEqual(one);
      }),
    );
  });
  it('have one order', () => {
    fc.assert(
      fc.property(parsed, parsed, (a, b) => {
        expect(Math.sign(compareNames(a, b))).toBe(-Math.sign(compareNames(b, a)) + 0);
        expect(compareNames(a, b) === 0).toBe(sameName(a, b));
      }),
    );
  });
  it('RFC 4034 §6.1: the order of the example', () => {
    const order = [
      'example',
      'a.example',
      'yljkjljk.a.example',
      'Z.a.example',
      'zABC.a.EXAMPLE',
      'z.example',
      String.raw`\001.z.example`,
      '*.z.example',
      String.raw`\200.z.example`,
    ];
    const shuffled = [...order].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(shuffled.sort((a, b) => compareNames(nameOf(a), nameOf(b)))).toEqual(order);
  });
  it('wire forms that do not end are no names', () => {
    expect([nameFromWire(Buffer.from([1, 65])), nameFromWire(Buffer.from([])), nameFromWire(Buffer.from([64]))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
