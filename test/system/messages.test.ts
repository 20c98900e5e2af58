import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hostileMails, sendBeside } from './hostile-mails.ts';
import { startWorld, type World } from './hostile-world.ts';
import { codePng } from '../message/qr/codes.ts';
import { commandOf, descendants, isAlive } from './processes.ts';
import { NO_AGENTS, NO_BROWSER } from './one-machine.ts';

const eml_base64 = Buffer.from('From: a@example.org\r\nSubject: Hello\r\n\r\nWords').toString('base64');
/** Every eighth way to be slow that we know; small enough that all of them take seconds. test/slow/messages.test.ts sends all. */
const HOSTILE = hostileMails(8);

let world: World;
let hostile: Record<string, string>;
let other: Record<string, string>;
beforeAll(async () => {
  world = await startWorld({ ...NO_BROWSER, ...NO_AGENTS, VEDETTE_LIMITS: 'off' });
  hostile = { 'x-api-key': (await world.account('hostile', 1))[0]! };
  other = { 'x-api-key': (await world.account('other', 1))[0]! };
}, 120_000);
afterAll(() => world.close());

const message = (eml: string, headers: Record<string, string>) => world.post('eml-insights', { eml_base64: eml }, headers);
const parserPids = (): number[] =>
  descendants(process.pid).filter((pid) => isAlive(pid) && commandOf(pid).includes('packages/message/src/parser/main.ts'));
const cpuTicks = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[11]);
};

it('a message is answered, by a parser of another process', async () => {
  const response = await message(eml_base64, other);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ headers: { subject: 'Hello' }, body: { body_text: 'Words' } });
  expect(parserPids().length).toBeGreaterThan(0);
});

it('a picture is read by the same parsers, and one that is none is refused and free', async () => {
  const image_base64 = (await codePng('https://qr.test/a')).toString('base64');
  const response = await world.post('qr-scan', { image_base64 }, other);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ codes_found: 1, codes: [{ content: 'https://qr.test/a' }], urls: [{ host: 'qr.test' }] });
  const refused = await world.post('qr-scan', { image_base64: Buffer.from('PK\u0003\u0004').toString('base64') }, other);
  expect([refused.status, refused.headers.get('x-service-quota')]).toEqual([400, expect.stringContaining('cost=0')]);
  expect(await refused.json()).toMatchObject({ error: expect.stringContaining('image_base64 is no picture') });
});

it('a picture that takes too long to draw is refused, and another is read meanwhile', async () => {
  const uses = Array.from({ length: 8 }, (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`).join('');
  const bomb = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs><g id="a0"><rect width="1" height="1"/></g>${uses}</defs><use href="#a8"/></svg>`;
  const slow = world.post('qr-scan', { image_base64: Buffer.from(bomb).toString('base64') }, hostile);
  const image_base64 = (await codePng('a')).toString('base64');
  expect((await world.post('qr-scan', { image_base64 }, other)).status).toBe(200);
  const refused = await slow;
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: expect.stringContaining('image_base64 cannot be decoded as svg') },
  ]);
}, 60_000);

it('a parser that is killed in the middle of a message costs nobody an answer', async () => {
  const before = new Map(parserPids().map((pid) => [pid, cpuTicks(pid)]));
  const answers = HOSTILE.slice(0, 4).map((eml) => message(eml, hostile));
  const atWork = () => parserPids().filter((pid) => cpuTicks(pid) > (before.get(pid) ?? 0));
  process.kill(await vi.waitUntil(() => atWork()[0], { timeout: 60_000, interval: 5 }), 'SIGKILL');
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

it('hostile messages are answered or refused, and another account is served meanwhile', { timeout: 300_000 }, async () => {
  const { statuses, others } = await sendBeside(
    HOSTILE,
    (eml) => message(eml, hostile),
    () => message(eml_base64, other),
  );
  expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
  expect(others.filter((status) => status !== 200)).toEqual([]);
  // A place is free for whoever comes: for each message that takes its parser long, another account has several read.
  expect(others.length).toBeGreaterThan(HOSTILE.length / 2);
});

it('no parser outlives a gateway that is killed', async () => {
  const pids = parserPids();
  expect(pids.length).toBeGreaterThan(0);
  process.kill(world.gatewayPid(), 'SIGKILL');
  await expect.poll(() => pids.filter(isAlive), { timeout: 5_000 }).toEqual([]);
});
