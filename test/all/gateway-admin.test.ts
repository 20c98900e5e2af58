import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createGatewayAdmin } from '../../packages/all/src/gateway-admin.ts';

it('gives a gateway up that takes a call and never answers', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const admin = createGatewayAdmin(url, '', 'token', new AbortController().signal);
  await expect(admin.agents()).rejects.toMatchObject({ name: 'TimeoutError' });
});
