import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const MODULE = join(import.meta.dirname, '../../packages/all/src/gateway-admin.ts');

it('gives a gateway up that takes a call and never answers', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const script = `import { createGatewayAdmin } from ${JSON.stringify(MODULE)};
    const admin = createGatewayAdmin('${url}', '', 'token', new AbortController().signal);
    await admin.agents().catch((error) => console.log(error.name));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout).toBe('TimeoutError\n');
});
