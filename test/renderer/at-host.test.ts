import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@vedette/probes/net';
import { expect, it } from 'vitest';
import { spawnAtHost } from '../../packages/renderer/src/browser/host/at-host.ts';

/** A host of browsers that needs a moment to clean; `told` is what it did. */
async function startHost() {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-at-host-'));
  const told: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once('data', () => socket.write('{"pid":7}\n'));
    const clean = async () => {
      await sleep(100);
      told.push('cleaned');
      socket.end();
    };
    socket.once('end', () => void clean());
  }).listen(join(folder, 'socket'));
  await once(server, 'listening');
  return {
    folder,
    told,
    [Symbol.dispose]() {
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

it.each(['', 'killed before'])('a browser at its host is clean when the host has cleaned: %s', async (how) => {
  using host = await startHost();
  const command = { executable: '/bin/true', libraries: undefined, fonts: undefined, switches: [], sandbox: true };
  const browser = await spawnAtHost(host.folder, command, systemClock);
  if (how !== '') browser.kill();
  await browser.clean();
  expect(host.told).toEqual(['cleaned']);
});
