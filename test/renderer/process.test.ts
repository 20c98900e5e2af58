import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNkey, natsServerConfig } from '@vedette/bus';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { metricProblems } from '../promtool.ts';
import { membersOf } from '../../packages/renderer/src/browser/process-group.ts';
import { type NatsServer, startNatsServer } from '../bus/nats-server.ts';
import { HTML_JOB, startRenderGateway } from '../bus/render-world.ts';
import { freePort } from '../free-ports.ts';
import { descendants } from '../system/processes.ts';
import { OWN_ENV } from '../own-env.ts';

const MAIN = fileURLToPath(new URL('../../packages/renderer/src/main.ts', import.meta.url));
const key = createNkey();
const gatewayKey = createNkey();
let dir: string;
let server: NatsServer;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vedette-process-'));
  chmodSync(dir, 0o711);
  writeFileSync(join(dir, 'renderer.nkey'), key.seed, { mode: 0o600 });
  server = await startNatsServer((port) =>
    natsServerConfig({
      host: '127.0.0.1',
      port,
      gateways: [{ publicKey: gatewayKey.publicKey }],
      agents: [],
      renderers: [{ publicKey: key.publicKey }],
    }),
  );
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});
afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true });
});

/** Starts a renderer, through a command that runs another. */
function start(env: Record<string, string> = {}, through: readonly string[] = []) {
  const [command, ...rest] = [...through, process.execPath, '--disable-warning=ExperimentalWarning', MAIN];
  const child = spawn(command, rest, {
    env: {
      ...OWN_ENV,
      TMPDIR: dir,
      VEDETTE_NATS_URL: server.url,
      VEDETTE_NATS_CREDS: join(dir, 'renderer.nkey'),
      VEDETTE_WITNESSES: '',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.add(child);
  const lines: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trimEnd().split('\n')));
  const ended = once(child, 'exit').then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  const ready = () => expect.poll(() => lines.join('\n'), { timeout: 20_000 }).toContain('"msg":"ready"');
  return { child, lines, ended, ready };
}
const runFolders = () => readdirSync(dir).filter((name) => name.startsWith('vedette-renderer-'));

it('starts its browser as somebody who is not root, shows itself to the operator, and leaves nothing behind', async () => {
  const port = String(await freePort());
  const { child, lines, ended, ready } = start({ VEDETTE_OPS_PORT: port });
  await ready();
  const browser = descendants(child.pid!);
  expect(browser.length).toBeGreaterThan(3);
  const uids = browser.map((pid) => statSync(`/proc/${pid}`).uid);
  expect(uids).not.toContain(0);
  expect(runFolders()).toHaveLength(1);
  expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toEqual({ status: 'ready' });
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metricProblems(metrics)).toBe('');
  expect(metrics).toMatch(/^vedette_renderer_browser_up 1$/m);
  expect(metrics).toMatch(/^vedette_renderer_slots\{state="used"\} 0$/m);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  await expect.poll(() => browser.flatMap((pid) => membersOf(pid))).toEqual([]);
  expect(runFolders()).toEqual([]);
});

it('takes its browser with it when it is killed, and the next one cleans up', async () => {
  const first = start();
  await first.ready();
  const browser = descendants(first.child.pid!);
  first.child.kill('SIGKILL');
  await first.ended;
  await expect.poll(() => browser.flatMap((pid) => membersOf(pid)), { timeout: 10_000 }).toEqual([]);
  const left = runFolders();
  expect(left).toHaveLength(1);
  const second = start();
  await second.ready();
  expect(runFolders()).not.toContain(left[0]);
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
});

// A user namespace of its own whose kernel setting forbids further ones, as some machines' does for all.
const FORBIDDEN = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--keep-caps', 'sh', '-c'];
const script = 'echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --inh-caps=-all --ambient-caps=-all --no-new-privs "$0" "$@"';

it('does not start without its sandbox, and says which setting of the kernel helps', async () => {
  const { lines, ended } = start({}, [...FORBIDDEN, script]);
  expect(await ended).toBe(1);
  const told = lines.filter((line) => !line.startsWith('{')).join('\n');
  expect(told).toMatch(/^vedette renderer: the browser cannot start its sandbox, and pages of strangers are not opened without\./);
  expect(told).toContain('sysctl user.max_user_namespaces=10000');
  expect(told).toContain('VEDETTE_CHROMIUM_SANDBOX=off');
  expect(runFolders()).toEqual([]);
});

it('starts there with a warning where the operator says so', async () => {
  const { child, lines, ended, ready } = start({ VEDETTE_CHROMIUM_SANDBOX: 'off' }, [...FORBIDDEN, script]);
  await ready();
  expect(lines.join('\n')).toContain('VEDETTE_CHROMIUM_SANDBOX is off');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

/** Writes until nothing fits any more; tells why. */
function fillUp(path: string): string | undefined {
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(1024 * 1024));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    closeSync(file);
  }
}

// A disk of its own, in a mount namespace of its own. A browser wants 128 MB of it, beside its profile and what a crash leaves.
const SMALL_DISK =
  'mount -t tmpfs -o size=256m small "$TMPDIR" && exec setpriv --inh-caps=-all --ambient-caps=-all --no-new-privs "$0" "$@"';

it('with a full disk blames no page and no HTML: its jobs are a free 503, it says so, and renders again when there is room', async () => {
  const disk = mkdtempSync(join(dir, 'disk-'));
  const port = String(await freePort());
  const through = [...FORBIDDEN.slice(0, -2), '--mount', 'sh', '-c', SMALL_DISK];
  const { child, lines, ended, ready } = start({ TMPDIR: disk, VEDETTE_OPS_PORT: port }, through);
  await using gateway = await startRenderGateway(server.url, { credentials: gatewayKey.seed });
  await ready();
  await expect.poll(() => gateway.presence.slots()).toBeGreaterThan(0);
  const ask = () =>
    gateway.asker.render('pdf', HTML_JOB, { input: Buffer.from('<p>mine'), budgetMs: 20_000, signal: new AbortController().signal });
  expect((await ask()).file.length).toBeGreaterThan(0);

  const filler = `/proc/${child.pid}/root${disk}/filler`;
  expect(fillUp(filler)).toBe('ENOSPC');
  await expect(ask()).rejects.toMatchObject({ code: 'no_renderer', status: 503, retryAfterS: 5 });
  // The gateway may give up before the second browser does.
  await expect.poll(() => lines.join('\n'), { timeout: 30_000 }).toMatch(/"level":50.*a render failed for a reason of our own/);
  const readyz = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
  await expect.poll(readyz, { timeout: 20_000 }).toEqual({ status: 'degraded', problem: expect.stringMatching(/^\d+ MB are free in /) });

  rmSync(filler);
  await expect.poll(readyz, { timeout: 40_000 }).toMatchObject({ status: 'ready' });
  expect((await ask()).file.length).toBeGreaterThan(0);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}, 180_000);

it('says what is wrong with the browser that it is given', async () => {
  const { lines, ended } = start({ VEDETTE_CHROMIUM: '/bin/false' });
  expect(await ended).toBe(1);
  expect(lines.at(-1)).toBe('vedette renderer: VEDETTE_CHROMIUM: /bin/false does not run: it ended with status 1');
});
