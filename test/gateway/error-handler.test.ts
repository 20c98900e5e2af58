import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { handleClientError } from '../../packages/gateway/src/door/error-handler.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A client of the server that never closes its own side; what it received, and whether the server let go of it. */
async function stubbornClient(server: ReturnType<typeof createHttpServer>, octets: string): Promise<string> {
  server.on('clientError', (error, socket) => handleClientError(error, socket as Socket, undefined, {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  closing.push(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  const [accepted] = (await once(server, 'connection')) as [ReturnType<typeof connect>];
  socket.write(octets);
  if (!accepted.destroyed) await once(accepted, 'close');
  return text;
}

it('lets go of a client that was told why, even if it stays', async () => {
  const text = await stubbornClient(createHttpServer(), 'BLAH\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*"code":"bad_request"\}$/);
});

it('lets go of a client that never ends its TLS handshake', async () => {
  expect(await stubbornClient(createHttpsServer({ handshakeTimeout: 50 }), '')).toBe('');
});
