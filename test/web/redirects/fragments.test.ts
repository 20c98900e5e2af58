import { withFragments } from '@vedette/web/redirects';
import { expect, it } from 'vitest';

it('a redirect keeps the fragment of where it began, unless it names one', () => {
  expect(withFragments(['http://a.test/', 'http://a.test/b', 'http://a.test/c#new', 'http://a.test/d'], '#old')).toEqual([
    'http://a.test/#old',
    'http://a.test/b#old',
    'http://a.test/c#new',
    'http://a.test/d#new',
  ]);
});

it('without one there is none, and what is no page gets none', () => {
  expect(withFragments(['http://a.test/', 'http://a.test/b'], '')).toEqual(['http://a.test/', 'http://a.test/b']);
  expect(withFragments(['http://a.test/', 'mailto:me@a.test'], '#old')).toEqual(['http://a.test/#old', 'mailto:me@a.test']);
});
