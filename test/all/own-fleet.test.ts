import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readFleet } from '@vedette/bus';
import { expect, it, onTestFinished } from 'vitest';

const MODULE = join(import.meta.dirname, '../../packages/all/src/own-fleet.ts');

it.each([
  ['2001:db8:0:0::a', '2001:db8::a'],
  ['192.0.2.10', '192.0.2.10'],
  ['2001:db8::b', '0.0.0.0'],
  ['a.test', '0.0.0.0'],
])('with VEDETTE_BUS_HOST=%s its bus listens on %s', async (host, listen) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'own-fleet-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const settings = { VEDETTE_BUS_HOST: host, VEDETTE_DEMO: 'off' };
  const script = `import { prepareFleet } from ${JSON.stringify(MODULE)}; await prepareFleet(${JSON.stringify(dataDir)}, ${JSON.stringify(settings)});`;
  // A network with these addresses and no other.
  const machine = `ip link set lo up; ip addr add 2001:db8::a/128 dev lo nodad; ip addr add 192.0.2.10/32 dev lo; exec "$@"`;
  await promisify(execFile)('unshare', ['-rn', 'sh', '-ec', machine, 'sh', process.execPath, '--input-type=module', '-e', script]);
  expect(readFleet(join(dataDir, 'fleet'))!.listen).toBe(listen);
});
