import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@vedette/probes/net';
import { systemUser } from '@vedette/process/users';
import { installedBrowser } from '../../packages/renderer/src/browser/installed.ts';
import { launchBrowser } from '../../packages/renderer/src/browser/launch.ts';
import { createRenderPool, type RenderPool, type RenderPoolOptions } from '../../packages/renderer/src/pool.ts';
import type { Egress, EgressRecord } from '../../packages/renderer/src/render.ts';
import { renders } from '../../packages/renderer/src/renders.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A pool with a real browser of its own, as the renderer has one: one for all tests of a file, closed after them. */
export async function openTestPool(options: Partial<RenderPoolOptions> = {}): Promise<RenderPool & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-pool-'));
  chmodSync(folder, 0o711); // the browser's user passes through it
  const user = process.getuid?.() === 0 ? systemUser(folder, 7) : undefined;
  const installed = await installedBrowser({ chosen: undefined, folder, user });
  const egress = loopbackOnly();
  const flags = ['--headless', '--remote-debugging-pipe', '--hide-scrollbars', '--mute-audio', '--disable-dev-shm-usage', 'about:blank'];
  const pool = await createRenderPool({
    launch: () => launchBrowser({ ...installed, flags, user, sandbox: true, folder, clock: systemClock }),
    egress,
    renders,
    clock: systemClock,
    userAgent: 'Vedette/test',
    slots: 1,
    log: quiet,
    ...options,
  });
  return {
    folder,
    run: (kind, job, scope) => pool.run(kind, job, scope),
    async close() {
      await pool.close();
      await egress.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A way out to this machine alone, without any judging. */
function loopbackOnly(): Egress {
  return {
    close: () => Promise.resolve(),
    async open() {
      const records: EgressRecord[] = [];
      let input: Uint8Array | undefined;
      const server = createServer((incoming, outgoing) => {
        const url = new URL(incoming.url!);
        if (url.hostname === 'input.invalid') return void outgoing.setHeader('content-type', 'text/html').end(input);
        const host = '127.0.0.1';
        const onward = request({
          host,
          port: url.port,
          path: url.pathname + url.search,
          method: incoming.method,
          headers: incoming.headers,
        });
        onward.on('response', (answer) => answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers)));
        onward.on('error', () => outgoing.writeHead(502).end());
        incoming.pipe(onward);
      });
      server.on('connect', (incoming, socket) => {
        const onward = connect(Number(incoming.url!.split(':')[1]), '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
        onward.on('error', () => socket.destroy());
        socket.on('error', () => onward.destroy());
        socket.pipe(onward).pipe(socket);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return {
        records,
        inputUrl: 'http://input.invalid/',
        port: (server.address() as AddressInfo).port,
        addressOf: () => '127.0.0.1',
        begin: (job) => (input = job.input),
        async close() {
          server.closeAllConnections();
          await new Promise((resolve) => server.close(resolve));
        },
      };
    },
  };
}
