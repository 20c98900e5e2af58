import { connect } from 'node:net';
import { central, FileBytes, Base64File } from '@vedette/operations/kit';
import { systemClock } from '@vedette/probes/net';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Pools } from '../../packages/gateway/src/shares/pools.ts';
import { NO_RENDERERS } from './no-renderers.ts';
import { openApp } from './app-server.ts';

const MB = 1024 * 1024;

/** Takes a file of up to 8 MB and gives it back; one whose first character is `w` waits until it may. */
const takesFiles = (allowed: Promise<void>) =>
  central({
    name: 'takes-files',
    subject: 'service',
    summary: 'Take a file',
    cost: 1,
    deadline_ms: 90_000,
    body_max_bytes: 8 * MB,
    request: Type.Object({ file: Type.String() }, { additionalProperties: false }),
    response: Type.Object({ file: Base64File('As it came') }),
    contactsTarget: false,
    examples: [{ file: 'x' }],
    read: ({ file }) => ({ file }),
    async run({ file }) {
      if (file.startsWith('w')) await allowed;
      return { file: new FileBytes(Buffer.from(file)) };
    },
  });

async function setUp() {
  const { promise: allowed, resolve: letGo } = Promise.withResolvers<void>();
  const pools = new Pools({
    clock: systemClock,
    parsers: 2,
    presence: { slots: () => 0 },
    renderers: NO_RENDERERS.presence,
    gateways: () => 1,
  });
  const server = await openApp({ operations: [takesFiles(allowed)], pools });
  const post = (file: string, account = 'a', init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${server.port}/v2/takes-files`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': `key-of-${account}` },
      body: JSON.stringify({ file }),
      ...init,
    });
  return { pools, server, post, letGo };
}

describe('an operation that takes files', () => {
  it('takes 8 MB and no more, and gives them back', async () => {
    const { server, post, pools } = await setUp();
    await using _ = server;
    const file = 'x'.repeat(8 * MB - 11);
    const answer = await post(file);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(Number(answer.headers.get('content-length'))).toBe(text.length);
    expect(Buffer.from((JSON.parse(text) as { file: string }).file, 'base64').toString()).toBe(file);
    const refused = await post(`${file}x`);
    expect([refused.status, await refused.json()]).toMatchObject([413, { code: 'body_too_large' }]);
    await expect.poll(() => pools.bodies.usage.held).toBe(0);
  });

  it('has room for them before it reads them, by the length that they declare', async () => {
    const { server, pools } = await setUp();
    await using _ = server;
    const head = `POST /v2/takes-files HTTP/1.1\r\nhost: a\r\nx-api-key: key-of-a\r\ncontent-type: application/json\r\ncontent-length: ${6 * MB}\r\n\r\n`;
    const client = connect(server.port, '127.0.0.1');
    client.write(head);
    await expect.poll(() => pools.bodies.usage.held).toBe(6 * MB);
    client.destroy();
    await expect.poll(() => pools.bodies.usage.held).toBe(0);
  });

  it('counts all that there may be where no length is declared', async () => {
    const { server, pools } = await setUp();
    await using _ = server;
    const head =
      'POST /v2/takes-files HTTP/1.1\r\nhost: a\r\nx-api-key: key-of-a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
    const client = connect(server.port, '127.0.0.1');
    client.write(`${head}2\r\n{"\r\n`);
    await expect.poll(() => pools.bodies.usage.held).toBe(8 * MB);
    client.destroy();
    await expect.poll(() => pools.bodies.usage.held).toBe(0);
  });

  it('refuses an account that fills the room, and not the others', async () => {
    const { server, post, letGo } = await setUp();
    await using _ = server;
    const waiting = `w${'x'.repeat(7 * MB)}`;
    const settled: number[] = [];
    const asked = Array.from({ length: 10 }, () => post(waiting).then(({ status }) => settled.push(status)));
    await expect.poll(() => settled.length, { timeout: 60_000 }).toBe(4); // 64 MB, of which an account alone has three quarters
    expect(settled).toEqual([503, 503, 503, 503]);
    expect((await post('x'.repeat(5 * MB), 'b')).status).toBe(200);
    expect((await post('small')).status).toBe(200);
    letGo();
    await Promise.all(asked);
    expect(settled.filter((status) => status === 200)).toHaveLength(6);
  });

  it('leaves all others with 64 KB', async () => {
    await using server = await openApp();
    const answer = await fetch(`http://127.0.0.1:${server.port}/v2/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'key-of-a' },
      body: JSON.stringify({ host: 'x'.repeat(70_000) }),
    });
    expect(answer.status).toBe(413);
  });
});
