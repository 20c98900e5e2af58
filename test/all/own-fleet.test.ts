import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type FleetPlan, readFleet } from '@vedette/bus';
import { afterEach, beforeEach, expect, it } from 'vitest';

const MODULE = join(import.meta.dirname, '../../packages/all/src/own-fleet.ts');
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'own-fleet-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** The plan that settings make, in a network with 192.0.2.10, 2001:db8::a and no other address. */
async function planBy(settings: Record<string, string>): Promise<FleetPlan> {
  const script = `import { prepareFleet } from ${JSON.stringify(MODULE)}; await prepareFleet(${JSON.stringify(dataDir)}, ${JSON.stringify(settings)});`;
  const machine = 'ip link set lo up; ip addr add 2001:db8::a/128 dev lo nodad; ip addr add 192.0.2.10/32 dev lo; exec "$@"';
  await promisify(execFile)('unshare', ['-rn', 'sh', '-ec', machine, 'sh', process.execPath, '--input-type=module', '-e', script]);
  return readFleet(join(dataDir, 'fleet'))!;
}

it.each([
  ['2001:db8:0:0::a', '2001:db8::a'],
  ['192.0.2.10', '192.0.2.10'],
  ['2001:db8::b', '0.0.0.0'],
  ['a.test', '0.0.0.0'],
])('with VEDETTE_BUS_HOST=%s its bus listens on %s', async (host, listen) => {
  expect(await planBy({ VEDETTE_BUS_HOST: host, VEDETTE_DEMO: 'off' })).toMatchObject({ listen });
});

it('knows the location of its machine as long as a start names it; the location stays', async () => {
  expect(await planBy({ VEDETTE_LOCATION: 'us-ash' })).toMatchObject({ here: 'us-ash', locations: { 'us-ash': {} } });
  const later = await planBy({ VEDETTE_DEMO: 'off' });
  expect(later).not.toHaveProperty('here');
  expect(later.locations).toEqual({ 'us-ash': {} });
});
