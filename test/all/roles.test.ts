import { StartError } from '@vedette/process/start-error';
import { expect, it } from 'vitest';
import { rolesOf } from '../../packages/all/src/roles.ts';

const exitsOf = (vpnExits: string | undefined) =>
  rolesOf({}, { dataDir: '/data', port: 1, opsPort: 2, bus: undefined, vpnExits })
    .filter(({ name }) => name.startsWith('agent'))
    .map(({ env }) => env?.['VEDETTE_VPN_EXITS']);

it('hands each VPN exit to the agent that it names, else to the first', () => {
  expect(exitsOf('iface:wg0, iface:wg1#us-ash,iface:wg2#eu-fra,iface:wg3#us-ash')).toEqual([
    'iface:wg0,iface:wg2',
    'iface:wg1,iface:wg3',
    '',
  ]);
  expect(exitsOf(undefined)).toEqual(['', '', '']);
});

it.each(['mars', 'us-ash#eu-fra', ''])('refuses an exit at %j', (location) => {
  expect(() => exitsOf(`iface:wg0#${location}`)).toThrow(
    new StartError(`VEDETTE_VPN_EXITS: there is no agent at ${location}; there are eu-fra, us-ash, sg-sin`),
  );
});
