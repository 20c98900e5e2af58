import { createServer } from 'node:net';
import { openBus } from '@vedette/bus';
import { expect, it } from 'vitest';
import { clock } from './world.ts';

/** As much of a nats-server as a connection needs, of any version. */
async function serverOf(version: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {}); // the client has gone
    socket.write(`INFO ${JSON.stringify({ server_id: 'fake', version, proto: 1, max_payload: 1_048_576 })}\r\n`);
    socket.on('data', (data) => {
      for (const _ of data.toString().matchAll(/^PING\r$/gm)) socket.write('PONG\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `nats://127.0.0.1:${port}`, close: () => server.close() };
}

it.each([
  ['2.9.10', ['server_outdated: nats-server 2.9.10; 2.12.12 or newer is advised']],
  ['2.12.11', ['server_outdated: nats-server 2.12.11; 2.12.12 or newer is advised']],
  ['2.12.12', []],
  ['2.12.13-RC.1', []],
  ['3.0.0', []],
])('a server of version "%s"', async (version, expected) => {
  const server = await serverOf(version);
  const warnings: string[] = [];
  const bus = await openBus({ url: server.url, name: 'test', clock, onWarning: (code, detail) => warnings.push(`${code}: ${detail}`) });
  await bus.close();
  server.close();
  expect(warnings).toEqual(expected);
});
