import { parseTargets } from '@vedette/operations/kit';
import { expect, it } from 'vitest';
import { operations } from '@vedette/operations';

const NAMES_OF_THE_DNS = ['.', '*.example.org', '-a.example.org', 'a-.example.org'];
const TAKE_THEM = ['dns-lookup', 'dns-propagation', 'dnssec-status'];

it.each(operations)('$name takes the names that are no hosts only if it asks the DNS for records', ({ name, targets }) => {
  const takes = NAMES_OF_THE_DNS.filter((host) => {
    try {
      parseTargets(targets, { host, url: `https://${host}/` });
      return targets !== undefined;
    } catch {
      return false;
    }
  });
  expect(takes).toEqual(TAKE_THEM.includes(name) ? NAMES_OF_THE_DNS : []);
});
