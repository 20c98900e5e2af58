import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../free-ports.ts';
import { freeze } from './freeze.ts';

/** A real nats-server on a random loopback port, for one test file. */
export interface NatsServer {
  url: string;
  port: number;
  /** Where its configuration is. */
  folder: string;
  pid(): number;
  freeze(): Promise<void>;
  thaw(): void;
  /** kill -9. */
  kill(): Promise<void>;
  /** Starts again on the same port, with another configuration where one is given. */
  start(config?: (port: number) => string): Promise<void>;
  /** Has it read another configuration, as an operator does; resolves when it has. */
  reload(config: string): Promise<void>;
  /** Kills it and removes its files. */
  stop(): Promise<void>;
}

export async function startNatsServer(config: (port: number) => string = plain): Promise<NatsServer> {
  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), 'vedette-nats-'));
  const file = join(dir, 'nats.conf');
  await writeFile(file, config(port));
  let child: ChildProcess | undefined;
  const onExit = () => child?.kill('SIGKILL');
  process.once('exit', onExit);
  const server: NatsServer = {
    url: `nats://127.0.0.1:${port}`,
    port,
    folder: dir,
    pid: () => child!.pid!,
    freeze: () => freeze(child!.pid!),
    thaw: () => void child!.kill('SIGCONT'),
    async kill() {
      const dying = child!;
      if (dying.exitCode !== null || dying.signalCode !== null) return;
      const gone = new Promise((resolve) => dying.once('exit', resolve));
      dying.kill('SIGKILL');
      await gone;
    },
    async start(another) {
      if (another) await writeFile(file, another(port));
      const started = spawn('nats-server', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
      child = started;
      let log = '';
      started.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
      for (let tries = 0; tries < 200; tries += 1) {
        if (started.exitCode !== null) throw new Error(`nats-server ended: ${log}`);
        if (await answers(port)) return;
        await sleep(25);
      }
      throw new Error(`nats-server did not listen: ${log}`);
    },
    async reload(config) {
      await writeFile(file, config);
      const told = new Promise<void>((resolve) => {
        child!.stderr!.on('data', (chunk: Buffer) => {
          if (/Reloaded server configuration|Failed to reload/.test(chunk.toString())) resolve();
        });
      });
      await promisify(execFile)('nats-server', ['--signal', `reload=${child!.pid}`]);
      await told;
    },
    async stop() {
      process.off('exit', onExit);
      await server.kill();
      await rm(dir, { recursive: true });
    },
  };
  await server.start();
  return server;
}

const plain = (port: number) => `host: 127.0.0.1\nport: ${port}\n`;

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
