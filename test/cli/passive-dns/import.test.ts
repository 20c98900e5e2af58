import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdminClient } from '../../../packages/cli/src/context/admin-client.ts';
import { importPassiveDns } from '../../../packages/cli/src/passive-dns/import.ts';
import { startAdminServer, TOKEN } from '../admin-server.ts';

const MAIN = join(import.meta.dirname, '../../../packages/cli/src/main.ts');
const NOW = Math.floor(Date.now() / 1000);

let server: Awaited<ReturnType<typeof startAdminServer>>;
let folder: string;
beforeAll(async () => {
  server = await startAdminServer();
  folder = await mkdtemp(join(tmpdir(), 'pdns-'));
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}
const cof = (rrname: string, rdata: string, time_last = NOW) => JSON.stringify({ rrname, rrtype: 'A', rdata, time_last });
const admin = () => createAdminClient({ url: server.url, token: async () => TOKEN, operator: 'alice', fetch });

/** Runs an import in this process. */
async function read(path: string, options = {}, client = admin()) {
  const told: string[] = [];
  let now = 0;
  const done = await importPassiveDns(path, options, {
    admin: client,
    sleep: async () => undefined,
    progress: (text) => void told.push(text),
    now: () => (now += 2_000),
  });
  return { done, told };
}
const names = async (address: string) => (await server.ledger.passiveDns.namesAt(address, 1)).map(({ name }) => name);
const environment = () => ({ ...process.env, VEDETTE_OPS_PORT: String(server.port), VEDETTE_ADMIN_TOKEN: TOKEN });

it('reads a gzipped file, counts what cannot be read and says where it is', async () => {
  const lines = [
    cof('a.example.org.', '93.184.215.1'),
    'garbage',
    cof('localhost', '93.184.215.1'),
    cof('b.example.org', '10.0.0.1'),
    '',
    cof('c.example.org', '93.184.215.1', NOW - 500 * 86_400),
  ];
  const { done, told } = await read(await file('one.json.gz', gzipSync(lines.join('\n'))));
  expect(done).toEqual({
    lines: 6,
    skipped: 0,
    rows: 4,
    added: 1,
    updated: 0,
    refused: 0,
    expired: 1,
    unfit: 2,
    malformed: 1,
    malformed_lines: [2],
  });
  expect(await names('93.184.215.1')).toEqual(['a.example.org']);
  expect(told).toEqual([expect.stringMatching(/^6 lines, 100 %, \d+ lines\/s, 1 malformed$/)]);
});

it('reads CSV and zone files, which were seen when they were written unless they say it', async () => {
  await read(await file('two.csv', 'name,ip\nd.example.org,93.184.215.2\n'));
  await read(await file('three.zone', '$ORIGIN example.org.\ne A 93.184.215.2\n'), { seen: NOW - 86_400 });
  expect(await names('93.184.215.2')).toEqual(['d.example.org', 'e.example.org']);
});

it('takes lines that are too long, and bytes that are no text, for malformed', async () => {
  const content = Buffer.concat([
    Buffer.from(`${cof('f.example.org', '93.184.215.3')}\n`),
    Buffer.alloc(3_000_000, 0xff),
    Buffer.from(`\n${cof('g.example.org', '93.184.215.3')}`),
  ]);
  const { done } = await read(await file('four.json', content));
  expect(done).toMatchObject({ lines: 3, added: 2, malformed: 1, malformed_lines: [2] });
});

it('is told of a file that is cut off or is none, and has what came before', async () => {
  const whole = gzipSync(Array.from({ length: 30_000 }, (_, n) => cof(`h${n}.org`, '93.184.215.4')).join('\n'));
  await expect(read(await file('five.json.gz', whole.subarray(0, whole.length / 2)))).rejects.toThrow(
    /stopped after line \d+ \(unexpected end of file\); the same command goes on/,
  );
  expect((await names('93.184.215.4')).length).toBe(500);
  await expect(read(join(folder, 'none.json'))).rejects.toThrow('cannot be read: ENOENT');
  await expect(read(folder)).rejects.toThrow('is not a file');
});

it('goes on where it was when it is killed, and writes each line once', async () => {
  const LINES = 60_000;
  const path = await file(
    'big.json',
    Array.from({ length: LINES }, (_, n) => cof(`n${n}.org`, `93.184.${216 + (n % 4)}.${n % 250}`)).join('\n'),
  );
  const first = spawn(process.execPath, [MAIN, 'pdns', 'import', path], { env: environment(), stdio: 'ignore' });
  const position = async () => (await server.ledger.passiveDns.status()).imports.find(({ file: name }) => name === 'big.json')?.lines ?? 0;
  await expect.poll(position, { interval: 20, timeout: 20_000 }).toBeGreaterThan(0);
  first.kill('SIGKILL');
  await once(first, 'exit');
  // What it had sent by then is still written.
  let seen = -1;
  await expect.poll(async () => seen === (seen = await position()), { interval: 300, timeout: 10_000 }).toBe(true);
  const before = await server.ledger.passiveDns.status();
  const stopped = await position();
  expect(stopped).toBeLessThan(LINES);

  const { done } = await read(path);
  expect(done).toMatchObject({ lines: LINES, skipped: stopped, rows: LINES - stopped, added: LINES - stopped, malformed: 0 });
  expect((await server.ledger.passiveDns.status()).rows - before.rows).toBe(LINES - stopped);
  // Once it is done it begins anew.
  expect((await read(path)).done).toMatchObject({ skipped: 0, rows: LINES, added: 0 });
});

it('goes on when a gateway is away for a while, and writes no line twice where only its answer was lost', async () => {
  const path = await file('seven.csv', Array.from({ length: 5_000 }, (_, n) => `s${n}.org,93.184.220.${n % 250}`).join('\n'));
  const real = admin();
  let calls = 0;
  const flaky: ReturnType<typeof admin> = {
    async call(method, words, options) {
      if (words.length < 3) return await real.call(method, words, options);
      calls++;
      if (calls === 2) throw new Error('away');
      const written = await real.call(method, words, options);
      if (calls === 4) throw new Error('its answer was lost');
      return written as never;
    },
  };
  const before = (await server.ledger.passiveDns.status()).rows;
  expect((await read(path, {}, flaky)).done).toMatchObject({ lines: 5_000, rows: 5_000, added: 5_000 });
  expect((await server.ledger.passiveDns.status()).rows - before).toBe(5_000);
  const dead = {
    call: (method: 'POST', words: readonly string[], options?: object) =>
      words.length < 3 ? real.call(method, words, options) : Promise.reject(new Error('gone')),
  };
  await expect(read(await file('eight.csv', 'a.org,93.184.220.1'), {}, dead as typeof flaky)).rejects.toThrow(
    'stopped after line 0 (gone)',
  );
});

it('says what it did, and what was imported', async () => {
  const run = async (...words: string[]) => {
    const child = spawn(process.execPath, [MAIN, 'pdns', ...words], { env: environment() });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(child, 'close');
    return text;
  };
  const path = await file('six.csv', 'i.example.org,93.184.215.9\nnonsense\n');
  expect(await run('import', path)).toBe('2 lines, 1 name at addresses:\n  1 new\n  1 malformed (line 2)\n');
  expect(await run('list')).toMatch(
    /^[\d,]+ names at addresses, of 20,000,000 at most, for 13 months after they were last seen\.\nFILE +LINES +BEGAN +FINISHED\nsix\.csv +2 /,
  );
});

it('does not read a line that no call has room for, and goes on', async () => {
  const addresses = Array.from({ length: 6_000 }, (_, i) => `93.${100 + (i >> 8)}.${i & 255}.9`);
  const lines = [
    JSON.stringify({ rrname: 'big.example.org', rrtype: 'A', rdata: addresses, time_last: NOW }),
    cof('after.example.org', '93.184.216.77'),
  ];
  const { done } = await read(await file('big.json', lines.join('\n')));
  expect(done).toMatchObject({ lines: 2, rows: 1, malformed: 1, malformed_lines: [1] });
  expect(await names('93.184.216.77')).toEqual(['after.example.org']);
});
