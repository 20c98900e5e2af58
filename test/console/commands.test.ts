import { execFileSync } from 'node:child_process';
import { cli, curl, typescript } from '@vedette/console/commands';
import { OPERATIONS } from '@vedette/console/operations';
import { expect, it } from 'vitest';

const operation = (name: string) => OPERATIONS.find((one) => one.name === name)!;

it.each<[string, Record<string, unknown>, string]>([
  ['spf-validator', { host: 'example.org' }, 'vedette spf-validator example.org'],
  ['ping-test', { host: 'example.org', locations: ['eu-fra', 'continent:AS'] }, 'vedette ping-test --from=eu-fra,continent:AS example.org'],
  [
    'geo-request',
    { url: 'https://example.org/?a=b', options: { method: 'HEAD', headers: { accept: 'text/plain' } } },
    `vedette geo-request --method=HEAD --headers 'accept: text/plain' 'https://example.org/?a=b'`,
  ],
  ['eml-insights', { eml_base64: 'U3ViamVjdDo=' }, 'vedette eml-insights FILE'],
  ['spf-validator', { host: '--profile=other' }, `vedette spf-validator -- '--profile=other'`],
])('%s with %j is a command line', (name, request, line) => {
  expect(cli(operation(name), request)).toBe(line);
});

it('quotes what a shell would run', () => {
  const host = `x'; echo $(id) \`id\` "\n& #`;
  const words = (line: string) =>
    execFileSync('/bin/sh', ['-c', `show() { printf '%s\\0' "$@"; }; ${line}`], { encoding: 'utf8' }).split('\0');
  expect(words(cli(operation('spf-validator'), { host }).replace('vedette', 'show'))).toEqual(['spf-validator', host, '']);
  expect(words(curl('http://127.0.0.1:8080', 'spf-validator', { host }).replace('curl', 'show')).at(-2)).toBe(JSON.stringify({ host }));
});

it('is a call of the client', () => {
  expect(typescript('spf-validator', { host: 'example.org' })).toBe('await client.spfValidator({"host":"example.org"})');
  expect(typescript('account-info', {})).toBe('await client.accountInfo()');
});
