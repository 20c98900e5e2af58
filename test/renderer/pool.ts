import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAddressPolicy } from '@vedette/probes/host';
import { isSpecialUseName } from '@vedette/contract';
import { refusing } from '@vedette/probes/dns';
import { createDialler, systemClock } from '@vedette/probes/net';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { systemUser } from '@vedette/process/users';
import { installedBrowser, unpackBrowser, unpackedBySetUp } from '../../packages/renderer/src/browser/installed.ts';
import { launchBrowser, type LaunchedBrowser } from '../../packages/renderer/src/browser/launch.ts';
import { spawnBrowser } from '../../packages/renderer/src/browser/spawn.ts';
import { type BrowserEgress, openEgress } from '../../packages/renderer/src/egress/index.ts';
import { browserSwitches } from '../../packages/renderer/src/pool/flags.ts';
import { createRenderPool, type RenderPool, type RenderPoolOptions } from '../../packages/renderer/src/pool/pool.ts';
import { renders } from '../../packages/renderer/src/jobs/renders.ts';
import { fakeResolver } from '../intel/fake-resolver.ts';

const TOKEN = 'Vedette/test';

/** The renderer's own switches. */
export const switchesOf = ({ deniedPort }: Pick<BrowserEgress, 'deniedPort'>): string[] =>
  browserSwitches({
    deniedPort,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36 ${TOKEN}`,
  });

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** The browser of the renderer, in a folder of its own, which goes away with `remove`. */
async function testBrowser() {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-pool-'));
  chmodSync(folder, 0o711); // the browser's user passes through it
  const user = process.getuid?.() === 0 ? systemUser(folder, 7) : undefined;
  if (process.arch === 'x64') await unpackBrowser(unpackedBySetUp()); // as the set-up does: one copy for all test files
  const installed = await installedBrowser({ chosen: undefined, kept: undefined, folder, user });
  return {
    folder,
    launch: (switches: readonly string[]) => {
      const spawn = () => spawnBrowser({ ...installed, switches, user, sandbox: true, folder, clock: systemClock });
      return launchBrowser({ spawn, clock: systemClock });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A browser that is started with these switches and no others. */
export async function openTestBrowser(switches: readonly string[]): Promise<Pick<LaunchedBrowser, 'browser'> & AsyncDisposable> {
  const { launch, remove } = await testBrowser();
  const launched = await launch(switches);
  return {
    browser: launched.browser,
    async [Symbol.asyncDispose]() {
      await launched.close();
      remove();
    },
  };
}

export interface TestPool extends RenderPool {
  /** Where its browsers write. */
  folder: string;
  /** All that were started, in turn. */
  launched: LaunchedBrowser[];
}

/** A pool with a real browser of its own, as the renderer has one: one for all tests of a file, closed after them. */
export async function openTestPool({
  egress: given,
  switches = [],
  ...options
}: Partial<Omit<RenderPoolOptions, 'egress'>> & { egress?: BrowserEgress; switches?: readonly string[] } = {}): Promise<TestPool> {
  const { folder, launch, remove } = await testBrowser();
  const egress = given ?? (await loopbackOnly());
  const launched: LaunchedBrowser[] = [];
  const pool = await createRenderPool({
    async launch() {
      const browser = await launch([...switches, ...switchesOf(egress)]);
      launched.push(browser);
      return browser;
    },
    egress,
    renders,
    clock: systemClock,
    userAgent: TOKEN,
    slots: 1,
    log: quiet,
    ...options,
  });
  return {
    folder,
    launched,
    run: (kind, job, scope) => pool.run(kind, job, scope),
    state: () => pool.state(),
    async close() {
      await pool.close();
      await egress.close();
      remove();
    },
  };
}

/** A way out to this machine alone, under every name of `.test`: what a renderer of an operator who allows loopback has. */
function loopbackOnly(): Promise<BrowserEgress> {
  const policy = createAddressPolicy({ allowNets: ['127.0.0.0/8'] });
  return openEgress({
    resolver: refusing(fakeResolver({ '*.test': { A: ['127.0.0.1'] } }), isSpecialUseName),
    dialler: createDialler({ policy }),
    limits: createTargetLimits({ clock: systemClock, enabled: false, spares: [] }),
    clock: systemClock,
    isDenied: () => false,
  });
}
