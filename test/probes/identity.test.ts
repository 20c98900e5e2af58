import { expect, it } from 'vitest';
import { echoText, userAgentOf } from '../../packages/probes/src/identity.ts';

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
