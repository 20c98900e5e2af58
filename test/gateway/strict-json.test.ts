import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whereBroken } from '../../packages/gateway/src/http/json-breach.ts';
import { parseBody } from '../../packages/gateway/src/http/strict-json.ts';
import { runs } from '../runs.ts';

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

  it.each([
    ['{"host": "a" "x": 1}', 'expected a comma or } at line 1, column 14'],
    ['{"host": b}', 'expected a value at line 1, column 10'],
    ['{\n  "host": "a.test",\n}', 'expected a name in double quotes at line 3, column 1'],
    ["{'host': 1}", 'expected a name in double quotes or } at line 1, column 2'],
    ['{"host" "a"}', 'expected a colon at line 1, column 9'],
    ['{"host": "a', 'expected a whole string at line 1, column 10'],
    ['{"ho', 'expected a whole string at line 1, column 2'],
    ['{"a\nb": 1}', 'expected a whole string at line 1, column 2'],
    ['{"a": [1, 2', 'expected a comma or ] at line 1, column 12'],
    ['{} {}', 'expected the end at line 1, column 4'],
    ['{"host": 01}', 'expected a comma or } at line 1, column 11'],
    ['{"host":"a",\n "host":"b"}', 'the key "host" appears twice, again at line 2, column 2'],
    ['{"a\\u0007\\u202e":1,"a\\u0007\\u202e":2}', 'the key "a " appears twice'],
    ['', 'the body is empty'],
    ['[]', 'the body is an array'],
    ['null', 'the body is null'],
  ])('says where %j stops being a JSON object', (text, where) => {
    expect(() => body(text)).toThrow(`The body is not one valid JSON object: ${where}`);
  });

  it('finds a place in whatever JSON.parse refuses, and in nothing else', () => {
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const soup = fc.array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', '-', '.5', 'e1', 'true', 'nul', ' ', '\n', '\u0000'),
    );
    const nearly = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', ']', '0')).map(([text, at, put]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + put + text.slice(cut + 1);
    });
    const texts = fc.oneof(
      fc.json(),
      nearly,
      soup.map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => (whereBroken(text) === undefined) === isJson(text)),
      { numRuns: runs(2000) },
    );
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
