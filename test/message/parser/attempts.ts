import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { lookup, Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Where there is something to find, or somebody to tell. */
export interface Bait {
  /** A file that anybody may read, and its folder, which anybody may write to. */
  file: string;
  folder: string;
  /** Of a TCP listener on 127.0.0.1, and of a UDP socket there. */
  tcp: number;
  udp: number;
  /** The process that has a secret in its environment. */
  pid: number;
}

/** Tries to get out, in every way that Node has, and tells what came of each: what was found, or the code of the error. */
export async function attempts({ file, folder, tcp, udp, pid }: Bait): Promise<Record<string, string>> {
  const ways: Record<string, () => unknown> = {
    'read a file': () => readFileSync(file, 'utf8'),
    'see a file': () => existsSync(file) || Promise.reject(new Error('not seen')),
    'list a folder': () => readdirSync(folder).join(),
    'write a file': () => writeFileSync(`${folder}/written`, 'x'),
    'read its own environment': () => readFileSync('/proc/self/environ', 'latin1'),
    'read the environment of who started it': () => readFileSync(`/proc/${pid}/environ`, 'latin1'),
    'its environment': () => process.env['SECRET'] ?? Promise.reject(new Error('none')),
    'connect over TCP': async () => {
      const socket = connect(tcp, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
    },
    listen: () =>
      new Promise<void>((resolve, reject) => {
        process.once('uncaughtException', reject); // it is thrown a tick later
        const server = createServer().listen(0, '127.0.0.1', () => {
          process.off('uncaughtException', reject);
          server.close(() => resolve());
        });
      }),
    'send a datagram': () =>
      new Promise<void>((resolve, reject) => {
        const socket = createSocket('udp4').on('error', reject);
        socket.send('out', udp, '127.0.0.1', (error) => {
          socket.close();
          if (error) reject(error);
          else resolve();
        });
      }),
    fetch: () => fetch(`http://127.0.0.1:${tcp}/`),
    'look up a name': () => lookup('localhost'),
    'ask the DNS': () => {
      const resolver = new Resolver({ timeout: 500, tries: 1 });
      resolver.setServers([`127.0.0.1:${udp}`]);
      return resolver.resolve4('out.test');
    },
    'start a program': () => spawnSync('/bin/true').status,
    'start a thread': () => new Worker('', { eval: true }).terminate(),
    'load native code': () => process.dlopen({ exports: {} }, file),
  };
  const outcomes: Record<string, string> = {};
  for (const [way, go] of Object.entries(ways))
    try {
      const found = await go();
      outcomes[way] = `did: ${JSON.stringify(found ?? '').slice(0, 100)}`;
    } catch (error) {
      outcomes[way] = (error as { cause?: Error }).cause?.message ?? (error as Error).message;
    }
  return outcomes;
}
