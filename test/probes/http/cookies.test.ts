import { describe, expect, it } from 'vitest';
import { CookieJar } from '../../../packages/probes/src/http/cookies.ts';

const NOW = new Date('2026-11-22T00:00:00Z');
const sent = (setCookies: string[], from: string, to: string): string => {
  const jar = new CookieJar(NOW);
  jar.store(setCookies, new URL(from));
  return jar.headerFor(new URL(to));
};

describe('a cookie', () => {
  it.each<[string, string[], string, string, string]>([
    ['goes back to its host', ['a=1', 'b=2'], 'https://a.test/x', 'https://a.test/', 'a=1; b=2'],
    ['and to nobody else', ['a=1'], 'https://a.test/', 'https://b.test/', ''],
    ['nor to a name below', ['a=1'], 'https://a.test/', 'https://www.a.test/', ''],
    ['unless it says so', ['a=1; Domain=.a.test'], 'https://www.a.test/', 'https://shop.a.test/', 'a=1'],
    ['of a stranger is none', ['a=1; Domain=b.test'], 'https://a.test/', 'https://b.test/', ''],
    ['for a whole top-level domain is none', ['a=1; Domain=test'], 'https://a.test/', 'https://b.test/', ''],
    ['that is Secure is not sent in the clear', ['a=1; Secure'], 'https://a.test/', 'http://a.test/', ''],
    ['that is Secure is not taken in the clear', ['a=1; Secure'], 'http://a.test/', 'https://a.test/', ''],
    ['with a path stays below it', ['a=1; Path=/shop'], 'https://a.test/', 'https://a.test/shopping', ''],
    ['with a path is sent below it', ['a=1; Path=/shop'], 'https://a.test/', 'https://a.test/shop/x', 'a=1'],
    ['without one is for where it was set', ['a=1'], 'https://a.test/in/here', 'https://a.test/out', ''],
    ['is replaced', ['a=1', 'a=2'], 'https://a.test/', 'https://a.test/', 'a=2'],
    ['is deleted by its age', ['a=1', 'a=; Max-Age=0'], 'https://a.test/', 'https://a.test/', ''],
    ['is deleted by a date', ['a=1', 'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'https://a.test/', 'https://a.test/', ''],
    ['lives until a date to come', ['a=1; Expires=Thu, 01 Jan 2037 00:00:00 GMT'], 'https://a.test/', 'https://a.test/', 'a=1'],
    ['without a name is none', ['=1', 'x'], 'https://a.test/', 'https://a.test/', ''],
    ['brings no line into a request', ['a=1\r\nX: y'], 'https://a.test/', 'https://a.test/', 'a=1X: y'],
    ['that is too long is none', [`a=${'x'.repeat(5_000)}`], 'https://a.test/', 'https://a.test/', ''],
  ])('%s', (_what, setCookies, from, to, expected) => {
    expect(sent(setCookies, from, to)).toBe(expected);
  });

  it('is one of fifty at most', () => {
    expect(
      sent(
        Array.from({ length: 500 }, (_, i) => `c${i}=1`),
        'https://a.test/',
        'https://a.test/',
      ).split('; '),
    ).toHaveLength(50);
  });
});
