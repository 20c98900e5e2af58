import { createServer } from 'node:net';
import { freePort, listen } from '@vedette/process/listen';
import { expect, it } from 'vitest';

it('finds a port that is free, and leaves it so', async () => {
  const port = await freePort({ host: '127.0.0.1', port: 0, setting: 'VEDETTE_PORT' });
  const server = createServer();
  expect(await listen(server, { host: '127.0.0.1', port, setting: 'VEDETTE_PORT' })).toMatchObject({ address: '127.0.0.1', port });
  await expect(freePort({ host: '127.0.0.1', port, setting: 'VEDETTE_PORT' })).rejects.toThrow(
    `port ${port} on 127.0.0.1 is taken; set VEDETTE_PORT to another one`,
  );
  await new Promise((resolve) => server.close(resolve));
});

it('names the setting for another reason too', async () => {
  const elsewhere = { host: '192.0.2.1', port: 0, setting: 'VEDETTE_PORT' }; // TEST-NET-1 is on no machine
  await expect(freePort(elsewhere)).rejects.toThrow(/^VEDETTE_PORT: listen EADDRNOTAVAIL/);
});
