import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, expect, it } from 'vitest';
import { Client } from 'undici';
import { makePki } from '../http/certificates.ts';
import { listen } from '../http/raw-server.ts';
import { CANCEL, frame, HALF, RST_STREAM, serveFrames, uint32s } from './http2-frames.ts';

const pki = makePki({ good: { names: 'DNS:a.test' } });
afterAll(() => pki[Symbol.dispose]());

/** ADR 6: once this fails, HTTP/2 can be undici's too. */
it('undici takes half a body for a whole one over HTTP/2, after RST_STREAM with CANCEL', async () => {
  const credentials = { key: readFileSync(join(pki.folder, 'good.key')), cert: readFileSync(join(pki.folder, 'good.pem')) };
  await using here = await listen(serveFrames(credentials, Buffer.concat([HALF, frame(RST_STREAM, 1, uint32s(CANCEL))])));
  const client = new Client(`https://a.test:${here.port}`, {
    connect(_options, connected) {
      const socket = connect({ port: here.port, host: '127.0.0.1', servername: 'a.test', ca: pki.root, ALPNProtocols: ['h2'] });
      socket.once('secureConnect', () => connected(null, socket));
      socket.once('error', (error) => connected(error, null));
    },
  });
  try {
    const { statusCode, body } = await client.request({ path: '/', method: 'GET' });
    expect([statusCode, await body.text()]).toEqual([200, 'half']);
  } finally {
    await client.destroy();
  }
});
