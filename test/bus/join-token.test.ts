import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createNkey, decodeJoinToken, encodeJoinToken, type JoinToken } from '@vedette/bus';
import { afterAll, describe, expect, it } from 'vitest';
import { makePki } from '../probes/http/certificates.ts';

const pki = makePki({ hub: { names: 'DNS:hub.test' } });
afterAll(() => pki[Symbol.dispose]());
const { seed } = createNkey();
const token: JoinToken = { urls: ['tls://nats-1.example.org:4222', 'tls://[2001:db8::1]:4222'], location: 'eu-fra', seed, ca: [pki.root] };

/** A token with that in it, whole as to its checksum. */
function sealed(text: string): string {
  const json = Buffer.from(text);
  return `vdtj_${Buffer.concat([json, createHash('sha256').update(json).digest().subarray(0, 6)]).toString('base64url')}`;
}
const payload = { v: 1, urls: ['tls://a.test:4222'], location: 'eu-fra', seed };
const made = (more: object) => sealed(JSON.stringify({ ...payload, ...more }));
const der = (pem: string) => pem.replace(/-----.*-----|\n/g, '');

it('says all that an agent must know, in one string without a blank', () => {
  const text = encodeJoinToken(token);
  expect(text).toMatch(/^vdtj_[\w-]+$/);
  expect(decodeJoinToken(text)).toEqual(token);
  expect(decodeJoinToken(` ${text}\n`)).toEqual(token);
  const few = { urls: ['nats://127.0.0.1:4222'], location: 'eu-fra', agent: 'fra-1', seed };
  expect(decodeJoinToken(encodeJoinToken(few))).toEqual(few);
});

it('is not made where nobody could read it', () => {
  expect(() => encodeJoinToken({ ...token, urls: ['tls://a.test'] })).toThrow('no tls://host:port');
  expect(() => encodeJoinToken({ ...token, seed: 'SU' })).toThrow('must know');
});

/** What is said of a token; empty where it is taken. */
function refusalOf(text: string): string {
  try {
    decodeJoinToken(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

it('is not taken with any one character lost, doubled or changed', () => {
  const text = encodeJoinToken(token);
  const taken: string[] = [];
  for (let at = 0; at < text.length; at += 7) {
    const [before, after] = [text.slice(0, at), text.slice(at + 1)];
    const bad = [before, `${before}${after}`, `${before}+${text.slice(at)}`, `${before}${text[at] === 'Q' ? 'R' : 'Q'}${after}`];
    taken.push(...bad.filter((each) => !/not whole|begins with vdtj_/.test(refusalOf(each))));
  }
  expect(taken).toEqual([]);
});

describe('a token of a stranger', () => {
  const leaf = der(readFileSync(`${pki.folder}/hub.pem`, 'utf8'));
  it.each([
    ['another kind of secret', `vdt_${'a'.repeat(40)}`, 'begins with vdtj_'],
    ['one too long', `vdtj_${'A'.repeat(20_000)}`, 'at most 16384 characters'],
    ['nothing', 'vdtj_', 'not whole'],
    ['no JSON', sealed('{'), 'no JSON'],
    [
      'no UTF-8',
      `vdtj_${Buffer.from([
        0xff,
        ...createHash('sha256')
          .update(Buffer.from([0xff]))
          .digest()
          .subarray(0, 6),
      ]).toString('base64url')}`,
      'no JSON',
    ],
    ['a newer version', made({ v: 2 }), 'newer Vedette'],
    ['no object', sealed('[]'), 'must know'],
    ['a field that nobody knows', made({ run: 'sh' }), 'must know'],
    ['a field of the prototype', sealed(`{"__proto__":{},${JSON.stringify(payload).slice(1)}`), 'must know'],
    ['no server', made({ urls: [] }), 'must know'],
    ['too many servers', made({ urls: Array.from({ length: 17 }, (_, n) => `tls://a${n}.test:4222`) }), 'must know'],
    ['a location that is none', made({ location: 'eu-fra\nVEDETTE_ALLOW_NETS=0.0.0.0/0' }), 'must know'],
    ['an agent that is none', made({ agent: '*' }), 'must know'],
    ['no key', made({ seed: 'SUA' }), 'must know'],
    ['a key with a wrong checksum', made({ seed: `SU${'A'.repeat(56)}` }), 'no nkey seed'],
    ['a certificate that is none', made({ ca: ['AAAA'] }), 'is none'],
    ['a certificate of no authority', made({ ca: [leaf] }), 'not that of an authority'],
  ])('with %s is refused', (_what, text, why) => {
    expect(() => decodeJoinToken(text)).toThrow(why);
  });

  it.each([
    'http://a.test:4222',
    'tls://a.test',
    'tls://a.test:0',
    'tls://a.test:65536',
    'tls://user:secret@a.test:4222',
    'tls://a.test:4222/path',
    'tls://a.test:4222,nats://b.test:4222',
    'tls://a.test:4222\nX=1',
    'tls://a b.test:4222',
    'tls://A.test:4222',
    'tls://127.1:4222',
    'tls://$(id).test:4222',
  ])('that names %j is refused', (url) => {
    expect(() => decodeJoinToken(made({ urls: [url] }))).toThrow('no tls://host:port');
  });

  it.each(['nats://a.test:4222', 'nats://192.0.2.1:4222', 'nats://localhost.test:4222'])(
    'that would have us speak in plain text to %s is refused',
    (url) => {
      expect(() => decodeJoinToken(made({ urls: [url] }))).toThrow('plain text');
    },
  );
});

it('is never told in an error', () => {
  const said = [{ urls: ['http://a.test:1'] }, { location: '' }, { ca: ['AAAA'] }, { v: 2 }].map((more) => refusalOf(made(more)));
  expect(said.filter((text) => text === '' || text.includes(seed))).toEqual([]);
});
