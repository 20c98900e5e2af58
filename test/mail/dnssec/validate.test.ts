import { type DnsAnswer, type DnsRecord, ProbeFailure, type RecordData, type Resolver } from '@vedette/contract';
import { budgeted } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { DNSSEC_REASONS, type DnssecReason, validate } from '@vedette/mail/dnssec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOf, nameToWire } from '../../../packages/mail/src/dnssec/names.ts';
import { nsec3Hash } from '../../../packages/mail/src/dnssec/denial/nsec3.ts';
import { answerOf, dsOf, NOW, record, Signer } from './signer.ts';
import { EXHIBITS } from './zoo.ts';
import { runs } from '../../runs.ts';

const root = new Signer('.');
const zone = new Signer('test');
const zsk = new Signer('test', 256);
const stranger = new Signer('test', 256);

/** `name TYPE` to the answer; what is not there times out. */
type Answers = Record<string, Partial<DnsAnswer>>;
const BASE: Answers = {
  '. DNSKEY': { answers: root.sign([root.dnskey]) },
  'test DS': { answers: root.sign([record('test', 'DS', dsOf(zone))]) },
  'test DNSKEY': { answers: zone.sign([zone.dnskey, zsk.dnskey]) },
};
const serve = (answers: Answers): Resolver => ({
  servers: [],
  addresses: () => Promise.reject(new Error('not asked')),
  query(name, type) {
    const found = { ...BASE, ...answers }[`${name} ${type}`];
    return found ? Promise.resolve(answerOf(found)) : Promise.reject(new ProbeFailure('dns_timeout', name));
  },
});

async function judge(answers: Answers, { name = 'www.test', type = 'A', now = NOW } = {}) {
  using resolver = budgeted(serve(answers), { questions: 60 }, systemClock);
  const anchors = [dsOf(root)];
  const { verdict } = await validate(name, type, { resolver, anchors, now, signal: new AbortController().signal });
  return verdict.status === 'secure' ? 'secure' : verdict.code;
}

const www = record('www.test', 'A', '192.0.2.1');
const answer = (signed: DnsRecord[], authorities: DnsRecord[] = []): Answers => ({ 'www.test A': { answers: signed, authorities } });
const nsec = (name: string, nextName: string, ...types: string[]) => record(name, 'NSEC', { nextName, types });
const deny = (...records: DnsRecord[][]): Partial<DnsAnswer> => ({ rcode: 'NXDOMAIN', authorities: records.flat() });
const signed = (change: Partial<RecordData['RRSIG']> = {}) => answer(zsk.sign([www], change));

const iterated = (iterations: number) => {
  const hashed = (name: string) => nsec3Hash(nameToWire(nameOf(name)), new Uint8Array(), iterations);
  const data = { hashAlgorithm: 1, optOut: false, iterations, salt: new Uint8Array(), nextHash: Buffer.from(hashed('test'), 'hex') };
  const owner = `${BigInt(`0x${hashed('test')}`)
    .toString(32)
    .padStart(32, '0')}.test`;
  return zsk.sign([record(owner, 'NSEC3', { ...data, types: ['SOA', 'NS'] })]);
};

const loop = Array.from({ length: 20 }, (_, i) =>
  zsk.sign([record(i === 0 ? 'www.test' : `c${i}.test`, 'CNAME', `c${i + 1}.test`)]),
).flat();
const manyKeys = Array.from({ length: 20 }, () => zsk.sign([www]).at(-1)!).map((rrsig): DnsRecord => {
  const data = rrsig.data as RecordData['RRSIG'];
  return { ...rrsig, data: { ...data, signature: Buffer.alloc(64, 1) } } as DnsRecord;
});

const a = (name: string) => record(name, 'A', '192.0.2.1');
const DEEP = `${'a.'.repeat(100)}test`;
/** Every name on the way down exists, and no zone begins at any of them. */
const EMPTY_ABOVE: Answers = Object.fromEntries(
  Array.from({ length: 100 }, (_, i) => [
    `${'a.'.repeat(i + 1)}test DS`,
    { authorities: zsk.sign([nsec('test', `x.${DEEP}`, 'SOA', 'NS')]) },
  ]),
);

const ROWS: [
  rule: string,
  answers: Answers,
  expected: 'secure' | DnssecReason,
  options?: { name?: string; type?: string; now?: number },
][] = [
  ['RFC 4035 §5.3: signed by a key of the zone', signed(), 'secure'],
  ['RFC 4035 §5.3.1: at the second of expiration', signed(), 'secure', { now: NOW + 3600 }],
  ['RFC 4035 §5.3.1: a second after', signed({ expiration: NOW - 1 }), 'signature_expired'],
  ['RFC 4035 §5.3.1: at the second of inception', signed({ inception: NOW }), 'secure'],
  ['RFC 4035 §5.3.1: a second before', signed({ inception: NOW + 1 }), 'signature_not_yet_valid'],
  [
    'RFC 4034 §3.1.5: times wrap around in serial arithmetic',
    signed({ inception: NOW - 3600, expiration: (NOW + 0x7fffffff) >>> 0 }),
    'secure',
  ],
  ['RFC 4034 §3.1.5: more than 68 years ahead is the past', signed({ expiration: (NOW + 0x80000001) >>> 0 }), 'signature_expired'],
  [
    'RFC 4034 §3.1.4: the original TTL is signed, not the one received',
    answer(zsk.sign([www]).map((one): DnsRecord => ({ ...one, ttl: 5 }))),
    'secure',
  ],
  ['RFC 4034 §6.3: records in any order', answer(zsk.sign([www, record('www.test', 'A', '192.0.2.0')])), 'secure'],
  ['RFC 4034 §6.3: a repeated record counts once', answer([www, ...zsk.sign([www])]), 'secure'],
  ['RFC 4035 §5.3.1: one record too many', answer([record('www.test', 'A', '192.0.2.9'), ...zsk.sign([www])]), 'signature_invalid'],
  ['RFC 4035 §5.3.1: no signature', answer([www]), 'missing_signature'],
  ['RFC 4035 §5.3.1: the signer is not the zone', signed({ signerName: 'www.test' }), 'wrong_signer'],
  ['a parent that signs for its child, which could as well replace the DS (BIND and unbound agree)', answer(root.sign([www])), 'secure'],
  [
    "RFC 4035 §5.3.1: the signer's name is the parent's, though the zone signed",
    answer(zsk.sign([www], { signerName: '.' })),
    'wrong_signer',
  ],
  [
    "an absence signed in the parent's name",
    { 'www.test A': deny(zsk.sign([nsec('test', 'zzz.test', 'SOA', 'NS')], { signerName: '.' })) },
    'wrong_signer',
  ],
  ['RFC 4035 §5.3.1: a key that the zone does not have', answer(stranger.sign([www])), 'unknown_key'],
  ['RFC 4035 §5.3.1: more labels than the name', signed({ labels: 3 }), 'signature_invalid'],
  ['RFC 4035 §5.3.1: fewer labels than the zone', signed({ labels: 0 }), 'signature_invalid'],
  [
    'RFC 4035 §5.3.1: one good signature among bad ones',
    answer([...stranger.sign([www]), ...zsk.sign([www], { expiration: NOW - 1 }), ...zsk.sign([www])]),
    'secure',
  ],
  [
    'RFC 6840 §5.2: a signature of an unsupported algorithm in a zone that promises another',
    signed({ algorithm: 200 }),
    'unsupported_signature',
  ],
  [
    'RFC 4035 §5.2: the keys are signed by the zone-signing key alone',
    { ...signed(), 'test DNSKEY': { answers: zsk.sign([zone.dnskey, zsk.dnskey]) } },
    'unknown_key',
  ],
  ...(
    [
      ['RFC 5011 §2.1: the DS names a key that is revoked', new Signer('test', 385)],
      ['RFC 4034 §2.1.1: the DS names a key without the zone flag', new Signer('test', 1)],
    ] as const
  ).map(([rule, unfit]): (typeof ROWS)[number] => [
    rule,
    {
      ...signed(),
      'test DS': { answers: root.sign([record('test', 'DS', dsOf(unfit))]) },
      'test DNSKEY': { answers: unfit.sign([unfit.dnskey, zsk.dnskey]) },
    },
    'unfit_key',
  ]),
  [
    'RFC 4035 §5.2: the DS set is signed by the child',
    { ...signed(), 'test DS': { answers: zone.sign([record('test', 'DS', dsOf(zone))]) } },
    'wrong_signer',
  ],
  [
    'RFC 4035 §5.2: only an unsupported DS',
    { ...signed(), 'test DS': { answers: root.sign([record('test', 'DS', { ...dsOf(zone), algorithm: 5 })]) } },
    'unsupported_algorithm',
  ],
  [
    'RFC 4035 §5.2: only an unsupported digest',
    { ...signed(), 'test DS': { answers: root.sign([record('test', 'DS', { ...dsOf(zone), digestType: 3 })]) } },
    'unsupported_digest',
  ],
  [
    'RFC 4035 §5.3.4: a wildcard with its proof',
    answer(zsk.sign([www], { labels: 1 }), zsk.sign([nsec('test', 'zzz.test', 'SOA', 'NS')])),
    'secure',
  ],
  ['RFC 4035 §5.3.4: a wildcard without', answer(zsk.sign([www], { labels: 1 })), 'missing_denial'],
  [
    'RFC 4035 §5.3.4: a wildcard with the proof of another name',
    answer(zsk.sign([www], { labels: 1 }), zsk.sign([nsec('x.test', 'z.test', 'A')])),
    'missing_denial',
  ],
  ['RFC 4035 §5.4: NXDOMAIN', { 'www.test A': deny(zsk.sign([nsec('test', 'zzz.test', 'SOA', 'NS')])) }, 'secure'],
  [
    'RFC 4035 §5.4: an NSEC record made from a wildcard',
    { 'www.test A': deny(zsk.sign([nsec('a.test', 'zzz.test', 'A')], { labels: 1 })) },
    'signature_invalid',
  ],
  ['RFC 4035 §5.4: an NSEC record of another zone', { 'www.test A': deny(root.sign([nsec('test', 'zzz', 'NS', 'DS')])) }, 'wrong_signer'],
  ['RFC 9276 §3.2: 150 iterations prove what they prove', { 'www.test A': deny(iterated(150)) }, 'secure'],
  ['RFC 9276 §3.2: 151 iterations', { 'www.test A': deny(iterated(151)) }, 'nsec3_iterations'],
  ['CNAME: more than 16 in a row', { 'www.test A': { answers: loop } }, 'chain_loop'],
  ['KeyTrap: many bad signatures by one key', answer([www, ...manyKeys]), 'validation_limit'],
  [
    'a hundred labels below an unsigned answer',
    { ...EMPTY_ABOVE, [`${DEEP} A`]: { answers: [a(DEEP)] } },
    'missing_signature',
    { name: DEEP },
  ],
  ['a hundred labels below an absence without proof', { ...EMPTY_ABOVE, [`${DEEP} A`]: {} }, 'missing_denial', { name: DEEP }],
  [
    'a hundred labels, and the last of them hides where its zone ends',
    { ...EMPTY_ABOVE, [`${DEEP} A`]: {}, [`${DEEP} DS`]: {} },
    'query_limit',
    { name: DEEP },
  ],
  ['nobody answers', {}, 'unanswered'],
  ['the resolver refuses', { 'www.test A': { rcode: 'REFUSED' } }, 'unanswered'],
  ['the resolver knows no keys of the root', { ...answer([www]), '. DNSKEY': { answers: [] } }, 'resolver_without_dnssec'],
  ['the resolver knows no DNSSEC', { ...answer([www]), '. DNSKEY': { answers: [root.dnskey] } }, 'resolver_without_dnssec'],
];

describe('validate', () => {
  it.each(ROWS)('%s', async (_rule, answers, expected, options) => {
    // The walk to an unsigned or denied name asks for a DS there.
    const noDs = { 'www.test DS': { authorities: zsk.sign([nsec('www.test', 'zzz.test', 'A')]) } };
    expect(await judge({ ...noDs, ...answers }, options)).toBe(expected);
  });

  it('asks a second time for a DS that a resolver handed out before its signature', async () => {
    const world = serve({ ...signed() });
    const asked: string[] = [];
    const query: Resolver['query'] = async (name, type, options) => {
      const full = await world.query(name, type, options);
      if (type === 'DS') asked.push(`${name}${options?.fresh ? ' fresh' : ''}`);
      return type === 'DS' && !options?.fresh ? { ...full, answers: full.answers.filter((each) => each.type === 'DS') } : full;
    };
    using resolver = budgeted({ ...world, query }, { questions: 60 }, systemClock);
    const signal = new AbortController().signal;
    const { verdict } = await validate('www.test', 'A', { resolver, anchors: [dsOf(root)], now: NOW, signal });
    expect([verdict, asked]).toEqual([{ status: 'secure' }, ['test', 'test fresh']]);
  });

  it('rejects when the request ends', async () => {
    const stop = new AbortController();
    using resolver = budgeted(
      { ...serve({}), query: (_name, _type, { signal } = {}) => Promise.reject(signal?.reason as Error) },
      { questions: 60 },
      systemClock,
    );
    stop.abort(new Error('the client has gone'));
    await expect(validate('www.test', 'A', { resolver, anchors: [], now: NOW, signal: stop.signal })).rejects.toThrowError(
      'the client has gone',
    );
  });
});

describe('a forged chain', () => {
  /** The answers of a secure look-up, as the records that are signed or sign. */
  const honest: Answers = { ...BASE, ...signed() };
  const links = Object.entries(honest).flatMap(([question, { answers = [] }]) => answers.map((_, i) => ({ question, i })));

  it('is never secure, whichever octet of its records was changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...links), fc.nat(), fc.integer({ min: 1, max: 255 }), async ({ question, i }, where, flip) => {
        const answers = honest[question]!.answers!;
        const rdata = Buffer.from(answers[i]!.rdata);
        rdata[where % rdata.length]! ^= flip;
        const forged = answers.with(i, { ...answers[i]!, rdata });
        // A signature is checked as it was decoded.
        const changed = forged[i]!;
        if (changed.type === 'RRSIG') {
          const { data } = changed;
          forged[i] = { ...changed, data: { ...data, signature: rdata.subarray(rdata.length - data.signature.length) } };
        }
        expect(await judge({ ...honest, [question]: { answers: forged } })).not.toBe('secure');
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('reasons', () => {
  const codes = Object.keys(DNSSEC_REASONS).sort();
  it('are each produced by a test', () => {
    const produced = new Set([...ROWS.map(([, , expected]) => expected as string), ...EXHIBITS.flatMap(({ code }) => code ?? [])]);
    expect([...produced].filter((code) => code !== 'secure').sort()).toEqual(codes);
  });
});
