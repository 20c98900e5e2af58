import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ParserPool, startsHere } from '@vedette/message/parser';
import { systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { descendants } from '../../system/processes.ts';
import { attempts, type Bait } from './attempts.ts';

const CANARY = 'canary-5f1c';
const folder = mkdtempSync(join(tmpdir(), 'vedette-parser-'));
/** What came to the listeners. */
const came: string[] = [];
const tcp = createServer((socket) => {
  came.push('a connection');
  socket.destroy();
});
const udp = createSocket('udp4', (datagram) => void came.push(`a datagram of ${datagram.length} bytes`));
let bait: Bait;
const log = { debug() {}, info() {}, error() {}, warn() {} };
const pool = new ParserPool({
  clock: systemClock,
  log,
  starter: startsHere(fileURLToPath(new URL('./reader.ts', import.meta.url)), systemClock),
  required: false,
  onEnd() {},
});
const before = new Set(descendants(process.pid));
let pid = 0;

beforeAll(async () => {
  process.env['SECRET'] = CANARY;
  chmodSync(folder, 0o777);
  const file = join(folder, 'secret');
  writeFileSync(file, CANARY, { mode: 0o644 });
  tcp.listen(0, '127.0.0.1');
  udp.bind(0, '127.0.0.1');
  await Promise.all([once(tcp, 'listening'), once(udp, 'listening')]);
  bait = { file, folder, tcp: (tcp.address() as { port: number }).port, udp: udp.address().port, pid: process.pid };
  await pool.read('message', Buffer.from('count'));
  pid = descendants(process.pid).find((one) => !before.has(one) && readFileSync(`/proc/${one}/cmdline`, 'latin1').includes('reader.ts'))!;
});
afterAll(() => {
  pool.close();
  tcp.close();
  udp.close();
  delete process.env['SECRET'];
  rmSync(folder, { recursive: true });
});

/** What must not be done, and is tried by a reader that was taken over. */
it('whatever a reader tries, no file, secret or process is seen, and nothing leaves', async () => {
  const { reading } = await pool.read('message', Buffer.from(`attempts ${JSON.stringify(bait)}`));
  const outcomes = JSON.parse(reading.body.body_text) as Record<string, string>;
  expect(Object.entries(outcomes).filter(([, outcome]) => outcome.startsWith('did'))).toEqual([]);
  expect(reading.body.body_text).not.toContain(CANARY);
  expect(existsSync(join(folder, 'written'))).toBe(false);
  expect(came).toEqual([]);
  // Outside of a parser all of it can be done: what was tried would have been seen.
  const free = await attempts(bait);
  const failed = Object.entries(free).filter(([, outcome]) => !outcome.startsWith('did'));
  expect(failed.map(([way]) => way).toSorted()).toEqual(['ask the DNS', 'fetch', 'load native code']); // which the bait does not answer, or is not
  expect(free['read a file']).toContain(CANARY);
  expect(free['its environment']).toContain(CANARY);
  expect(came).toContain('a connection');
  expect(came).toContain('a datagram of 3 bytes');
});

it('the kernel keeps it from everything as well', () => {
  const field = (name: string, file: string) =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'latin1'))?.[1];
  expect(field('NoNewPrivs', 'status')).toBe('1');
  expect(field('Groups', 'status')).toBe('');
  expect(readlinkSync(`/proc/${pid}/ns/net`)).not.toBe(readlinkSync('/proc/self/ns/net'));
  expect(readlinkSync(`/proc/${pid}/ns/user`)).not.toBe(readlinkSync('/proc/self/ns/user'));
  expect(field('Uid', 'status')).not.toMatch(/^0\b/);
  // Not a name of ours is in its environment.
  expect(readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').filter(Boolean).toSorted()).toEqual([
    'LANG=C.UTF-8',
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'PWD=/',
    'TZ=UTC',
  ]);
});

it('the kernel ends it where nobody looks, and takes it first', () => {
  const limits = readFileSync(`/proc/${pid}/limits`, 'latin1');
  const hard = (name: string) => new RegExp(`^${name}\\s+\\S+\\s+(\\S+)`, 'm').exec(limits)?.[1];
  expect([hard('Max cpu time'), hard('Max file size'), hard('Max core file size')]).toEqual(['80', '0', '0']);
  expect(hard('Max data size')).toBe(String(1_258_291 * 1024));
  expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  expect(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]).toBe(String(Math.min(19, getPriority() + 10))); // its niceness
  // A kernel without autogroups has no such file, and nothing to say there.
  const autogroup = `/proc/${pid}/autogroup`;
  expect(existsSync(autogroup) ? readFileSync(autogroup, 'utf8') : 'nice 10').toMatch(/nice 10$/m);
});
