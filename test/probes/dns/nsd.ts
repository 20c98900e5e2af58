import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '@vedette/contract';
import { freePort } from './free-port.ts';

export interface NsdServer {
  endpoint: Endpoint;
  stop(): Promise<void>;
}

/** Debian's nsd, authoritative for one zone on a loopback port, without rate limits. Ready when this resolves. */
export async function startNsd(origin: string, zone: string): Promise<NsdServer> {
  const directory = await mkdtemp(join(tmpdir(), 'vedette-nsd-'));
  const port = await freePort();
  await writeFile(join(directory, 'zone'), zone);
  await writeFile(
    join(directory, 'nsd.conf'),
    `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  zonesdir: "${directory}"
  database: ""
  pidfile: "${directory}/pid"
  xfrdfile: "${directory}/xfrd"
  zonelistfile: "${directory}/zones"
  logfile: "${directory}/log"
  server-count: 1
  minimal-responses: yes
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
remote-control:
  control-enable: no
zone:
  name: ${origin}
  zonefile: zone
`,
  );
  const child = spawn('/usr/sbin/nsd', ['-d', '-c', join(directory, 'nsd.conf')], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGTERM');
  process.once('exit', kill);
  const stop = async () => {
    process.removeListener('exit', kill);
    kill();
    if (child.exitCode === null) await exited;
    await rm(directory, { recursive: true, force: true });
  };
  const log = () => readFile(join(directory, 'log'), 'utf8').catch(() => '');
  try {
    for (let i = 0; !(await log()).includes('nsd started'); i++) {
      if (i === 100 || child.exitCode !== null) throw new Error(`nsd did not start: ${await log()}`);
      await sleep(50);
    }
    const bad = (await log()).split('\n').filter((line) => line.includes('error:'));
    if (bad.length > 0) throw new Error(`nsd: ${bad.join('\n')}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint: { address: '127.0.0.1', port }, stop };
}
