import { expect, it } from 'vitest';
import { headerLists } from '@vedette/probes/http';
import { redirectTarget } from '../../../packages/probes/src/http/wire/message.ts';

const redirect = (location: string, status = 302) =>
  redirectTarget({ status, headers: [['location', location]] }, 'https://a.test/dir/page?q');

it.each([
  ['absolute', 'http://b.test/x', 'http://b.test/x'],
  ['of the same scheme', '//b.test/x', 'https://b.test/x'],
  ['from the root', '/x', 'https://a.test/x'],
  ['relative', 'x?y', 'https://a.test/dir/x?y'],
  ['empty: the same page', '', 'https://a.test/dir/page?q'],
  ['inside: reported, since it is not followed', 'http://169.254.169.254/', 'http://169.254.169.254/'],
  ['not a URL', 'http://[', ''],
  ['longer than any URL', `/${'a'.repeat(9000)}`, ''],
])('a redirect that is %s', (_kind, location, target) => {
  expect(redirect(location)).toBe(target);
});

it('takes Location of redirects only', () => {
  expect([200, 201, 300, 304, 301, 302, 303, 307, 308].map((status) => redirect('/x', status))).toEqual([
    '',
    '',
    '',
    '',
    ...Array<string>(5).fill('https://a.test/x'),
  ]);
});

it('keeps every value of a header on its own', () => {
  const headers: [string, string][] = [
    ['set-cookie', 'a=1'],
    ['x', 'y'],
    ['set-cookie', 'b=2, c'],
    ['__proto__', 'z'],
  ];
  expect(Object.entries(headerLists({ headers }))).toEqual([
    ['set-cookie', ['a=1', 'b=2, c']],
    ['x', ['y']],
    ['__proto__', ['z']],
  ]);
});
