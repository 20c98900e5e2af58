import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../free-ports.ts';

/** A real proxy on loopback that leaves from an address of its own, so that a target can tell it from a direct request. */
export interface ExitServer extends AsyncDisposable {
  port: number;
  /** What targets see. */
  leavesFrom: string;
}

export async function microsocks(credentials?: { user: string; password: string }): Promise<ExitServer> {
  const port = await freePort();
  const leavesFrom = '127.0.0.21';
  const signIn = credentials ? ['-u', credentials.user, '-P', credentials.password] : [];
  return start('microsocks', ['-i', '127.0.0.1', '-p', String(port), '-b', leavesFrom, ...signIn], port, leavesFrom);
}

export async function tinyproxy(credentials?: { user: string; password: string }): Promise<ExitServer> {
  const port = await freePort();
  const leavesFrom = '127.0.0.22';
  const folder = mkdtempSync(join(tmpdir(), 'vedette-exit-'));
  const file = join(folder, 'tinyproxy.conf');
  const signIn = credentials ? `BasicAuth ${credentials.user} ${credentials.password}\n` : '';
  writeFileSync(file, `Port ${port}\nListen 127.0.0.1\nBind ${leavesFrom}\nLogFile "${join(folder, 'log')}"\nTimeout 10\n${signIn}`);
  const server = await start('tinyproxy', ['-d', '-c', file], port, leavesFrom);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(command: string, args: string[], port: number, leavesFrom: string): Promise<ExitServer> {
  const child = spawn(command, args, { stdio: 'ignore' });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code) => resolve(`exit ${code}`));
  });
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  for (let tries = 0; !(await accepts(port)); tries++) {
    const end = await Promise.race([ended, new Promise<void>((resolve) => setTimeout(resolve, 20))]);
    if (end !== undefined || tries === 200) {
      await stop();
      throw new Error(`${command} did not start: ${end ?? 'no answer'}`);
    }
  }
  return { port, leavesFrom, [Symbol.asyncDispose]: stop };
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
