import { expect, it } from 'vitest';
import { browserAgentOf, type BrowserKind, ownTokenOf } from '@vedette/probes/http';
import { echoText, userAgentOf } from '../../packages/probes/src/host/identity.ts';

it('names the operator’s contact to the servers that are asked', () => {
  expect(userAgentOf(undefined)).toMatch(/^Mozilla\/5\.0 \(compatible; Vedette\/\d+\.\d+\)$/);
  expect(userAgentOf('https://probes.example.org/abuse')).toMatch(
    /^Mozilla\/5\.0 \(compatible; Vedette\/\d+\.\d+; \+https:\/\/probes\.example\.org\/abuse\)$/,
  );
});

it.each([
  [undefined, 'Vedette'],
  ['abuse@example.org', 'Vedette +abuse@example.org'],
  ['mailto:abuse@example.org', 'Vedette +abuse@example.org'],
  ['https://probes.example.org/abuse', 'Vedette +probes.example.org/abuse'],
  [`https://example.org/${'a'.repeat(40)}`, 'Vedette'], // a piece of it would lead nowhere
])('an echo request names %s as far as it fits', (contact, text) => {
  expect(echoText(contact)).toBe(text);
});

it('a request that looks like a browser’s ends with who we are', () => {
  const own = userAgentOf('https://probes.example.org/abuse');
  const release = /Vedette\/[\d.]+/.exec(own)![0];
  expect(ownTokenOf(own)).toBe(`${release} (+https://probes.example.org/abuse)`);
  expect(ownTokenOf(userAgentOf(undefined))).toBe(release);
  expect(ownTokenOf('what an operator’s tests say')).toBe('Vedette');
  const expected: Record<BrowserKind, RegExp> = {
    desktop: /^Mozilla\/5\.0 \(Windows NT 10\.0; Win64; x64\) AppleWebKit\/537\.36 .* Chrome\/\d+\.0\.0\.0 Safari\/537\.36 Vedette/,
    'desktop-chrome': /Chrome\/\d+\.0\.0\.0 Safari\/537\.36 Vedette/,
    'desktop-edge': /Chrome\/(\d+)\.0\.0\.0 Safari\/537\.36 Edg\/\1\.0\.0\.0 Vedette/,
    'desktop-firefox': /rv:(\d+)\.0\) Gecko\/20100101 Firefox\/\1\.0 Vedette/,
    mobile: /Android .* Mobile Safari\/537\.36 Vedette/,
  };
  for (const kind of Object.keys(expected) as BrowserKind[]) {
    expect(browserAgentOf(kind, own)).toMatch(expected[kind]);
    expect(browserAgentOf(kind, own).endsWith(` ${ownTokenOf(own)}`)).toBe(true);
  }
});
