import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-ports.ts';

const PROGRAM = '/usr/bin/prometheus-blackbox-exporter';
export const hasBlackbox = existsSync(PROGRAM);

export interface Blackbox extends AsyncDisposable {
  /** The metrics of one probe by name with labels, as printed. */
  probe(module: string, target: string): Promise<Map<string, number>>;
}

/** The real exporter on a loopback port, with these modules: JSON is YAML. With `hosts` it has a file /etc/hosts of its own, which takes root. */
export async function startBlackbox(modules: object, hosts: Record<string, readonly string[]> = {}): Promise<Blackbox> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-blackbox-'));
  const file = join(folder, 'blackbox.yml');
  writeFileSync(file, JSON.stringify({ modules }));
  const port = await freePort();
  const args = [`--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`];
  const lines = Object.entries(hosts).flatMap(([name, addresses]) => addresses.map((address) => `${address} ${name}\n`));
  writeFileSync(join(folder, 'hosts'), lines.join(''));
  const inside = 'mount --bind "$0" /etc/hosts && exec "$@"';
  const child =
    lines.length === 0
      ? spawn(PROGRAM, args, { stdio: 'ignore' })
      : spawn('unshare', ['--mount', 'sh', '-c', inside, join(folder, 'hosts'), PROGRAM, ...args], { stdio: 'ignore' });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; !(await fetch(`${url}/-/healthy`).catch(() => undefined))?.ok; tries++) {
    if (tries === 100 || child.exitCode !== null) throw new Error('blackbox_exporter does not start');
    await sleep(50);
  }
  return {
    async probe(module, target) {
      const text = await (await fetch(`${url}/probe?${new URLSearchParams({ module, target }).toString()}`)).text();
      const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
    },
    [Symbol.asyncDispose]() {
      process.off('exit', kill);
      kill();
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

/** Whether the exporter would start with these modules. */
export function acceptsModules(modules: object): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-blackbox-'));
  try {
    writeFileSync(join(folder, 'blackbox.yml'), JSON.stringify({ modules }));
    return spawnSync(PROGRAM, ['--config.check', `--config.file=${join(folder, 'blackbox.yml')}`]).status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
