import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { linesWith, packageSources } from './sources.ts';

const names = operations.map(({ name }) => name);
/** An operation's name in a line of code, whatever quotes it stands between. */
const NAMED = new RegExp(`(?<![\\w-])(${names.join('|')})(?![\\w-])`);
const inGateway = new Map([...packageSources].filter(([path]) => path.startsWith('packages/gateway/')));

it('the gateway knows no operation by name: what differs between operations is a field of their shape', () => {
  expect(inGateway.size).toBeGreaterThan(80);
  expect(linesWith(NAMED, inGateway)).toEqual([]);
});

it.each(["counterpart('ping-test')", 'as geo-request, 5 credits', '"account-info";q=1'])('a name would be found: %s', (line) => {
  expect(linesWith(NAMED, new Map([['copy.ts', line]]))).toHaveLength(1);
});
