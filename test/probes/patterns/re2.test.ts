import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { fromRe2 } from '@vedette/probes/patterns';
import { acceptsModules, hasBlackbox, startBlackbox } from '../blackbox.ts';
import { listen } from '../http/raw-server.ts';

const PAGE = 'Hello, {"status": "ok"} [1] a-b/c\nsecond line\r\nGrüße, Ελλάδα 42\tend 🎉';

/** Patterns that RE2 takes, and whether each is in the page above. */
const PATTERNS: readonly [pattern: string, found: boolean][] = [
  ['Hello', true],
  ['hello', false],
  ['(?i)hello', true],
  ['(?i:HELLO), \\{', true],
  ['x(?i)y|hello', true],
  ['x(?i)y|(?-i)hello', false],
  ['(?-i)hello', false],
  ['^+Hello', true],
  ['^*ello', true],
  ['(?m)^+second line$?', true],
  ['{"status":\\s+"ok"}', true],
  ['\\{"status"', true],
  ['a\\-b\\/c', true],
  ['a-b/c', true],
  ['[1]', true],
  ['\\[1]', true],
  ['[]x1]\\]', true],
  ['[^]]\\]', true],
  ['^second', false],
  ['(?m)^second line', true],
  ['(?m:^second)', true],
  ['Hello.*second', false],
  ['(?s)Hello.*second', true],
  ['(?s:Hello.*)second', true],
  ['(?s-s:Hello.*)second', false],
  ['second line.', true],
  ['second line.\\n', true],
  ['\\AHello', true],
  ['(?m)\\Asecond', false],
  ['🎉\\z', true],
  ['end$', false],
  ['end .$', true],
  ['d [^x]$', true],
  ['[\\d-]-b', false],
  ['[a-]-b', true],
  ['[-a]-b', true],
  ['[\\w-]{3}/', true],
  ['["&&{}|!#%,:;<=>@`~]:', true],
  ['[!--]b', true],
  ['[🎈-🎊]', true],
  ['[[:digit:]]+\\tend', true],
  ['[^[:digit:]]\\tend', false],
  ['[[:upper:]][[:lower:]]{4},', true],
  ['\\p{Greek}{6}', true],
  ['\\p{Greek}{7}', false],
  ['\\pL\\PL', true],
  ['\\p{^Lu}ello', false],
  ['[\\p{Greek}]+ [\\d]+', true],
  ['Gr\\x{fc}\\x{DF}e', true],
  ['\\x48ello', true],
  ['\\110ello', true],
  ['\\Q{"status": \\E', true],
  ['\\Q[1] a', true],
  ['(?P<greeting>Hel+o)', true],
  ['(Hello)(, )', true],
  ['(?U)H.*o', true],
  ['l{2}o', true],
  ['l{3}', false],
  ['l{1,}o', true],
  ['ok"}', true],
  ['{', true],
  ['[\\s\\S]second', true],
  ['[\\]\\-x]b', true],
  ['\\bsecond\\b', true],
  ['\\Becond', true],
  ['[a-c]-[a-c]', true],
];

/** Patterns that RE2 refuses. */
const REFUSED = [
  '(',
  ')',
  'a{1001}',
  '[a',
  '(?=x)',
  '(?!x)',
  '(?<=x)a',
  '\\1',
  '(a)\\1',
  '\\',
  '\\y',
  '*a',
  'a**',
  '(?z)',
  '[b-a]',
  '[[:nope:]]',
  '\\p{Nope}',
  '[\\b]',
];
const ACCEPTED = PATTERNS.filter(([pattern]) => !REFUSED.includes(pattern));

it.each(ACCEPTED)('%s', (pattern, found) => expect(fromRe2(pattern).test(PAGE)).toBe(found));

it.each(REFUSED)('refuses %s', (pattern) => expect(() => fromRe2(pattern)).toThrow(SyntaxError));

describe.skipIf(!hasBlackbox)('blackbox_exporter, which has Go’s engine,', () => {
  it('says the same of every pattern', async () => {
    await using server = await listen(createServer((_request, response) => response.end(PAGE)));
    const http = (pattern: string) => ({ preferred_ip_protocol: 'ip4', fail_if_body_not_matches_regexp: [pattern] });
    const modules = Object.fromEntries(ACCEPTED.map(([pattern], index) => [`m${index}`, { prober: 'http', http: http(pattern) }]));
    await using blackbox = await startBlackbox(modules);
    const said = await Promise.all(
      ACCEPTED.map(async ([pattern], index) => {
        const metrics = await blackbox.probe(`m${index}`, `http://127.0.0.1:${server.port}/`);
        return [pattern, metrics.get('probe_success') === 1];
      }),
    );
    expect(said).toEqual(ACCEPTED);
  });

  it.each(REFUSED)('refuses %s too', (pattern) => {
    expect(acceptsModules({ m: { prober: 'http', http: { fail_if_body_not_matches_regexp: [pattern] } } })).toBe(false);
  });
});
