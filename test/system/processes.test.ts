import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../free-ports.ts';
import { scratchFolder } from '../scratch.ts';
import { NO_BROWSER, ONE_AGENT, type OneMachine, startOneMachine } from './one-machine.ts';
import { commandOf, descendants, isAlive, processOf } from './processes.ts';
import { takeOver } from './prepared.ts';

const GATEWAY = fileURLToPath(new URL('../../packages/gateway/src/main.ts', import.meta.url));
let dataDir: string;
beforeEach(() => {
  dataDir = scratchFolder('system');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true })); // after the machines in it have ended
});

/** The data directory, with what a first start makes. */
const prepared = (): string => {
  takeOver(dataDir, ['pg', 'networks']);
  return dataDir;
};

/** Ends with the test, however that ends. */
async function start(env: Record<string, string>): Promise<OneMachine> {
  const machine = await startOneMachine(env);
  onTestFinished(async () => void (await machine.stop()));
  return machine;
}

const until = async (done: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + 60_000;
  while (!(await done())) {
    if (performance.now() > end) throw new Error('it did not happen within 60 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

it('keeps key and credits from one start to the next, serves again after a kill of the gateway, and ends everything on SIGTERM, with status 0', async () => {
  const first = await start({ VEDETTE_DATA_DIR: dataDir, ...NO_BROWSER });
  await first.post('ping-test', { host: '127.0.0.1' });
  await first.stop();

  const second = await start({ VEDETTE_DATA_DIR: dataDir });
  expect(second.key).toBe(first.key);
  const { credits } = (await (await second.post('account-info', {})).json()) as any;
  expect(credits.remained).toBe(1_000_000 - 5);
  process.kill(processOf(second.process.pid!, 'packages/gateway/src/main.ts'), 'SIGKILL');
  await until(() =>
    second.post('ping-test', { host: '127.0.0.1' }).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  const pids = descendants(second.process.pid!);
  expect(pids.length).toBeGreaterThan(5); // nats-server, gateway, PostgreSQL, three agents
  expect(await second.stop()).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
}, 180_000);

it('leaves nothing behind when it is killed', async () => {
  const vedette = await start({ VEDETTE_DATA_DIR: prepared() });
  const pids = descendants(vedette.process.pid!);
  vedette.process.kill('SIGKILL');
  await until(() => !pids.some(isAlive));
});

it('is ready without a browser, says why beside the ready line and to operators, and refuses what needs one for free', async () => {
  const vedette = await start({ VEDETTE_DATA_DIR: prepared(), VEDETTE_CHROMIUM: '/bin/false' });
  const off = 'VEDETTE_CHROMIUM: /bin/false does not run: it ended with status 1';
  expect(vedette.stdout().split('\n')).toEqual([
    `screenshots, PDFs and http-tracker are off: ${off}`,
    expect.stringMatching(/^vedette ready /),
    expect.stringMatching(/^curl /),
    '',
  ]);
  const readiness = await fetch(`http://127.0.0.1:${vedette.opsPort}/readyz`);
  expect(readiness.status).toBe(200);
  expect(await readiness.json()).toMatchObject({
    status: 'degraded',
    impaired: [{ part: 'renderers', reason: off }],
    serving: { agents: 3, renderers: 0 },
  });
  const answer = await vedette.post('html-to-png', { html_base64: 'PGgxPkhlbGxvPC9oMT4=' });
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({
    status: 503,
    body: { code: 'no_renderer', error: `No renderer could load the page: ${off}` },
  });
  expect(((await (await vedette.post('account-info', {})).json()) as any).credits.remained).toBe(1_000_000);
  await vedette.stop();
}, 180_000);

it('names the holder of a data dir that is in use, and leaves it at work; without a browser where it is told to', async () => {
  const first = await start({ VEDETTE_DATA_DIR: prepared(), ...NO_BROWSER, ...ONE_AGENT });
  expect(first.stdout()).toMatch(/^screenshots, PDFs and http-tracker are off: VEDETTE_RENDERER is off\nvedette ready /);
  expect(descendants(first.process.pid!).filter((pid) => /renderer\/|chromium/.test(commandOf(pid)))).toEqual([]);
  expect(await (await first.post('html-to-png', { html_base64: 'PGgxPkhlbGxvPC9oMT4=' })).json()).toMatchObject({ code: 'no_renderer' });
  await expect(startOneMachine({ VEDETTE_DATA_DIR: dataDir })).rejects.toThrow(`is in use by process ${first.process.pid}`);
  const gateway = processOf(first.process.pid!, 'packages/gateway/src/main.ts');
  const second = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', GATEWAY], {
    env: { ...process.env, VEDETTE_DATA_DIR: dataDir, VEDETTE_PORT: '0', VEDETTE_OPS_PORT: '0' },
    encoding: 'utf8',
  });
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(`vedette gateway: ${dataDir}/pg is in use by process ${gateway}\n`);
  expect((await first.post('ping-test', { host: '127.0.0.1' })).status).toBe(200);
  await first.stop();
});

it('says which port is taken', async () => {
  const port = await freePort();
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve));
  await expect(startOneMachine({ VEDETTE_DATA_DIR: dataDir, VEDETTE_PORT: String(port) })).rejects.toThrow(
    `port ${port} on 127.0.0.1 is taken; set VEDETTE_PORT`,
  );
  holder.close();
});

it('reports all bad settings together', async () => {
  await expect(startOneMachine({ VEDETTE_DATA_DIR: dataDir, VEDETTE_PORT: 'http', VEDETTE_BOOTSTRAP_KEY: 'short' })).rejects.toThrow(
    /VEDETTE_PORT[^]*VEDETTE_BOOTSTRAP_KEY/,
  );
});
