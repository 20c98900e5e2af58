import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Unix socket before a server's, which can swallow the next answer and cut the connection: the work is done, nobody hears of it. */
export interface CuttingProxy {
  url: string;
  /** The next answers on any connection, so many, are lost, and their connections with them. Later ones go through. */
  cutNext(answers?: number): void;
  /** While it blocks, whatever is written either way waits, and so do new connections: a network that swallows everything. */
  block(blocks: boolean): void;
  /** When a client sends this text for the first time, the proxy blocks for so long. */
  stall(text: string, ms: number): void;
  /** How many answers were lost. */
  readonly cuts: number;
  stop(): Promise<void>;
}

export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const target = new URL(url).searchParams.get('host')!;
  const directory = await mkdtemp(join(tmpdir(), 'cut-'));
  const sockets = new Set<Socket>();
  let armed = 0;
  let cuts = 0;
  let blocked = false;
  let stall: { text: string; ms: number } | undefined;
  const block = (blocks: boolean): void => {
    blocked = blocks;
    for (const socket of sockets)
      if (blocks) socket.pause();
      else socket.resume();
  };
  const server = createServer((client) => {
    const upstream = createConnection(join(target, '.s.PGSQL.5432'));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    client.on('data', (data: Buffer) => {
      if (stall === undefined || !data.includes(stall.text)) return;
      block(true);
      setTimeout(block, stall.ms, false);
      stall = undefined;
    });
    client.pipe(upstream);
    if (blocked) client.pause();
    upstream.on('data', (data) => {
      if (armed === 0) {
        client.write(data);
        return;
      }
      armed--;
      cuts++;
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(join(directory, '.s.PGSQL.5432'), resolve);
  });
  return {
    url: url.replace(encodeURIComponent(target), encodeURIComponent(directory)),
    cutNext(answers = 1) {
      armed = answers;
    },
    block,
    stall(text, ms) {
      stall = { text, ms };
    },
    get cuts() {
      return cuts;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await rm(directory, { recursive: true, force: true });
    },
  };
}
