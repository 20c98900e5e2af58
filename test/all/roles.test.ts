import { StartError } from '@vedette/process/start-error';
import { expect, it } from 'vitest';
import { Settings as agentSettings } from '../../packages/agent/src/config.ts';
import { AGENT_SETTINGS, GATEWAY_SETTINGS, RENDERER_SETTINGS, SIMULATED_LOCATIONS } from '../../packages/all/src/config.ts';
import { exitsOff, rolesOf, type Wiring } from '../../packages/all/src/roles.ts';
import { Settings as gatewaySettings } from '../../packages/gateway/src/config/config.ts';
import { Settings as rendererSettings } from '../../packages/renderer/src/ops/config.ts';

const WIRING: Wiring = {
  dataDir: '/data',
  port: 8080,
  opsPort: 9464,
  fleet: undefined,
  locations: SIMULATED_LOCATIONS,
  simulated: true,
  vpnExits: undefined,
  withRenderer: true,
};
const roles = (env: Record<string, string>, more: Partial<Wiring> = {}) => rolesOf(env, { ...WIRING, ...more });
const exitsOf = (vpnExits: string | undefined) =>
  roles({}, { vpnExits })
    .filter(({ name }) => name.startsWith('agent'))
    .map(({ env }) => env?.['VEDETTE_VPN_EXITS']);

it('starts no renderer where there is to be none', () => {
  const names = (withRenderer: boolean) => roles({}, { withRenderer }).map(({ name }) => name);
  expect(names(true).filter((name) => !names(false).includes(name))).toEqual(['browsers', 'renderer']);
});

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

it('hands all VPN exits to the one agent of an honest location, which pretends nothing', () => {
  const [agent] = roles({}, { locations: ['de-nbg'], simulated: false, vpnExits: 'iface:wg0,iface:wg1#de-nbg' }).filter(({ name }) =>
    name.startsWith('agent'),
  );
  expect(agent).toMatchObject({ name: 'agent de-nbg', env: { VEDETTE_LOCATION: 'de-nbg', VEDETTE_VPN_EXITS: 'iface:wg0,iface:wg1' } });
  expect(agent!.args).not.toContain('--simulated');
});

it('starts with exits for cities that have left, says so, and refuses those of a place that never was', () => {
  const names = roles({}, { locations: [], vpnExits: 'iface:wg0,iface:wg1#us-ash' }).map(({ name }) => name);
  expect(names).toEqual(['gateway', 'parsers', 'browsers', 'renderer']);
  expect(exitsOff('iface:wg0', [])).toEqual([
    'vpn-test is off: no agent runs on this machine for the exits of VEDETTE_VPN_EXITS; VEDETTE_LOCATION gives it one',
  ]);
  expect([exitsOff(undefined, []), exitsOff('iface:wg0', ['us-ash'])]).toEqual([[], []]);
  expect(() => roles({}, { locations: [], vpnExits: 'iface:wg0#mars' })).toThrow('VEDETTE_VPN_EXITS: there is no agent at mars');
});

it('hands each role the settings that it reads, and no other: a secret has one reader', () => {
  const set = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'secret']));
  const names = [
    ...Object.keys(gatewaySettings.properties),
    ...Object.keys(agentSettings.properties),
    ...Object.keys(rendererSettings.properties),
    'VEDETTE_VPN_EXITS',
    'NODE_AUTH_TOKEN',
    'PGPASSWORD',
  ];
  const got = Object.fromEntries(
    roles(set(names)).map(({ name, env }) => [
      name,
      Object.keys(env)
        .filter((setting) => env[setting] === 'secret')
        .toSorted(),
    ]),
  );
  const [...ofAgents] = AGENT_SETTINGS;
  // Those are said by `npm start` itself.
  const wired = ['VEDETTE_DATA_DIR', 'VEDETTE_PORT', 'VEDETTE_OPS_PORT', 'VEDETTE_OWN_PORTS', 'VEDETTE_READY_AGENTS'];
  expect(got).toEqual({
    gateway: [...GATEWAY_SETTINGS, 'PGPASSWORD'].filter((name) => !wired.includes(name)).toSorted(),
    'agent eu-fra': ofAgents.filter((name) => !wired.includes(name)).toSorted(),
    'agent us-ash': ofAgents.filter((name) => !wired.includes(name)).toSorted(),
    'agent sg-sin': ofAgents.filter((name) => !wired.includes(name)).toSorted(),
    parsers: [],
    browsers: [],
    renderer: RENDERER_SETTINGS.filter((name) => !wired.includes(name)).toSorted(),
  });
});

it('hands on no setting that is none: `npm start` alone names it', () => {
  expect(roles({ VEDETTE_PRT: '1' }).filter(({ env }) => 'VEDETTE_PRT' in env)).toEqual([]);
});

it('knows every setting of gateway, agent and renderer: one that is missing here does not reach them under `npm start`', () => {
  const folders = ['VEDETTE_BROWSER_FOLDER', 'VEDETTE_PARSER_FOLDER'];
  const said = ['VEDETTE_READY_AGENTS', 'VEDETTE_LOCATION', 'VEDETTE_VPN_EXITS', ...folders];
  // The agents of one machine have names of their own making and no listener.
  const unused = ['VEDETTE_AGENT_ID', 'VEDETTE_OPS_HOST', 'VEDETTE_OPS_PORT'];
  const settingsOf = ({ properties }: { properties: object }, without: string[]) =>
    Object.keys(properties)
      .filter((name) => !without.includes(name))
      .toSorted();
  expect(GATEWAY_SETTINGS.toSorted()).toEqual(settingsOf(gatewaySettings, said));
  expect(AGENT_SETTINGS.toSorted()).toEqual(settingsOf(agentSettings, [...said, ...unused]));
  expect(RENDERER_SETTINGS.toSorted()).toEqual(settingsOf(rendererSettings, [...said, ...unused]));
});

it('lets the gateway bind a port below 1024, and no other', () => {
  const rightsOf = (port: number) => roles({}, { port }).find(({ name }) => name === 'gateway')?.capabilities;
  expect([rightsOf(443), rightsOf(1024)]).toEqual([['net_bind_service'], []]);
});
