import { createServer, type Socket } from 'node:net';
import { openBus } from '@vedette/bus';
import { expect, it } from 'vitest';
import { clock } from './world.ts';

/** As much of a nats-server as a connection needs, of any version. */
async function serverOf(version: string, onPing: (connection: number, socket: Socket) => void = (_, socket) => socket.write('PONG\r\n')) {
  let connections = 0;
  const server = createServer((socket) => {
    const connection = (connections += 1);
    socket.on('error', () => {}); // the client has gone
    socket.write(`INFO ${JSON.stringify({ server_id: 'fake', version, proto: 1, max_payload: 1_048_576 })}\r\n`);
    socket.on('data', (data) => {
      for (const _ of data.toString().matchAll(/^PING\r$/gm)) onPing(connection, socket);
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

it('is there again as soon as it is connected again, whatever the last connection left unanswered', async () => {
  const pings = [0, 0, 0];
  const server = await serverOf('2.12.12', (connection, socket) => {
    pings[connection]! += 1;
    // The first ping is the greeting's. That of the watch is what the first connection ends by.
    if (connection === 1 && pings[1] === 2) socket.destroy();
    else socket.write('PONG\r\n');
  });
  const bus = await openBus({ url: server.url, name: 'test', clock, patienceMs: 1_600 });
  const changes: boolean[] = [];
  bus.onChange((connected) => changes.push(connected));
  await expect.poll(() => pings[2], { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  expect(changes).toEqual([false, true]); // then it was down until the next ping
  await bus.close();
  server.close();
});
