import { describe, expect, it } from 'vitest';
import { parseBody } from '../../packages/gateway/src/strict-json.ts';

const body = (text: string) => parseBody(Buffer.from(text));

describe('parseBody', () => {
  it('gives the object', () => {
    expect(body(' {"host": "a.test", "n": [1, {"x": "\\u0061"}], "host2": {"host": 1}}')).toEqual({
      host: 'a.test',
      n: [1, { x: 'a' }],
      host2: { host: 1 },
    });
  });

  it.each([
    ['nothing', ''],
    ['an array', '[]'],
    ['a string', '"host"'],
    ['null', 'null'],
    ['two values', '{}{}'],
    ['a truncated object', '{"host": "a'],
    ['a trailing comma', '{"host": "a",}'],
    ['a comment', '{"host": "a" /* b */}'],
    ['a byte order mark', '\ufeff{}'],
    ['a duplicate key', '{"host":"a","host":"b"}'],
    ['a duplicate key in another spelling', '{"host":"a","h\\u006fst":"b"}'],
    ['a duplicate key far from its colon', `{"host":"a","host"${' '.repeat(100)}:"b"}`],
    ['a duplicate key further in', '{"a":{"b":1,"b":2}}'],
    ['33 levels', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['a million opening brackets', `{"a":${'['.repeat(1_000_000)}`],
  ])('refuses %s', (_what, text) => {
    expect(() => body(text)).toThrow(expect.objectContaining({ code: 'malformed_json' }));
  });

  it.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s', (key) => {
    expect(() => body(`{"${key}":{"x":1}}`)).toThrow(expect.objectContaining({ code: 'unknown_parameter' }));
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseBody(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow('not UTF-8');
  });

  it('takes a quote after escaped backslashes for the end of a string', () => {
    expect(body(String.raw`{"a":"\\","b":"\"}","c":1}`)).toEqual({ a: '\\', b: '"}', c: 1 });
  });
});
