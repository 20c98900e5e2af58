import { fromRe2 } from '@vedette/contract';
import { describe, expect, it } from 'vitest';

describe('a pattern of RE2', () => {
  it.each([
    ['hello', 'say hello', true],
    ['(?i)HELLO', 'say hello', true],
    ['(?im)^b$', 'A\nB', true],
    ['(?s)a.b', 'a\nb', true],
    ['a.b', 'a\nb', false],
    [String.raw`\Aab\z`, 'ab', true],
    [String.raw`(?m)\Ab`, 'a\nb', false],
    [String.raw`(?m)b\z`, 'b\na', false],
    ['(?P<year>[0-9]{4})-(?:0|1)', '2026-1', true],
    ['(?<year>[0-9]{4})', '2026', true],
    ['^[[:alpha:]_]+$', 'ab_C', true],
    ['^[[:digit:][:space:]]+$', '1 2', true],
    ['^[^[:upper:]]+$', 'aB', false],
    ['[[:punct:]]', 'a]b', true],
    [String.raw`\x{e9}\x41\101\a`, 'éAA\x07', true],
    [String.raw`^\d+\.\d+\s\w+\b$`, '1.5 ms', true],
    [String.raw`\[:alpha:\]`, '[:alpha:]', true],
    ['{"status": ?"ok"}', '{"status":"ok"}', true],
    [String.raw`v=spf1\tinclude`, 'v=spf1\tinclude', true],
  ])('%s in %j: %s', (pattern, text, matches) => {
    expect(fromRe2(pattern).test(text)).toBe(matches);
  });
  it.each([
    ['(a', 'Unterminated group'],
    ['a**', 'Nothing to repeat'],
    ['(?=a)', 'begins with (?'],
    ['(?!a)', 'begins with (?'],
    ['(?<=a)b', 'begins with (?'],
    ['a(?i)b', 'begins with (?'],
    ['(?U)a+', 'begins with (?'],
    [String.raw`(a)\1`, String.raw`\1 is not supported`],
    [String.raw`\pL`, String.raw`\p is not supported`],
    [String.raw`\Qa.b\E`, String.raw`\Q is not supported`],
    [String.raw`\x{10ffff}`, 'is not supported'],
    [String.raw`\xg`, String.raw`\x is not supported`],
    [String.raw`\k<a>`, String.raw`\k is not supported`],
    [String.raw`\u0041`, String.raw`\u is not supported`],
    ['[[:nonsense:]]', 'is not supported'],
    ['a\\', 'a backslash at the end'],
  ])('%s is refused, where it is none or would mean something else', (pattern, why) => {
    expect(() => fromRe2(pattern)).toThrow(SyntaxError);
    expect(() => fromRe2(pattern)).toThrow(why);
  });
});
