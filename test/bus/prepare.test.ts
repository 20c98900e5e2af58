import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { natsServerConfig, prepareBus, publicKeyOf } from '@vedette/bus';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepare-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const listener = { host: '127.0.0.1', port: 4222 };
const keyOf = (path: string): string => publicKeyOf(readFileSync(path, 'utf8'));

it('writes a key for every role that only we can read, and the configuration that names them', () => {
  const { config, credentials } = prepareBus({ folder, ...listener, gateways: 2, locations: ['eu-fra', 'us-ash'] });
  expect(credentials).toEqual({
    gateways: [join(folder, 'gateway-1.nkey'), join(folder, 'gateway-2.nkey')],
    agents: new Map([
      ['eu-fra', join(folder, 'agent-eu-fra.nkey')],
      ['us-ash', join(folder, 'agent-us-ash.nkey')],
    ]),
  });
  expect(readFileSync(config, 'utf8')).toBe(
    natsServerConfig({
      ...listener,
      gateways: credentials.gateways.map((path) => ({ publicKey: keyOf(path) })),
      agents: [...credentials.agents].map(([location, path]) => ({ location, publicKey: keyOf(path) })),
    }),
  );
  const files = [...credentials.gateways, ...credentials.agents.values()];
  expect(files.map((path) => statSync(path).mode & 0o777)).toEqual(files.map(() => 0o600));
});

it('adds a location and a gateway to those that are there', () => {
  const before = prepareBus({ folder, ...listener, gateways: 1, locations: ['us-ash'] });
  const [gateway, agent] = [before.credentials.gateways[0]!, before.credentials.agents.get('us-ash')!].map(keyOf);
  const { config, credentials } = prepareBus({ folder, ...listener, gateways: 2, locations: ['eu-fra'] });
  expect([...credentials.agents.keys()]).toEqual(['eu-fra', 'us-ash']);
  expect(keyOf(credentials.gateways[0]!)).toBe(gateway);
  expect(keyOf(credentials.agents.get('us-ash')!)).toBe(agent);
  prepareBus({ folder, ...listener, gateways: 1, locations: ['eu-fra'] });
  expect(readFileSync(config, 'utf8')).toContain(keyOf(credentials.gateways[1]!));
});

it('refuses a location that could stand for others', () => {
  expect(() => prepareBus({ folder, ...listener, gateways: 1, locations: ['*'] })).toThrow(TypeError);
  expect(readdirSync(folder)).toEqual([]);
});
