import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@vedette/contract';
import { browserAgentOf, ownTokenOf } from '@vedette/probes/http';
import { hasCapability } from '@vedette/process/capabilities';
import type { Log } from '@vedette/process/log';
import { StartError } from '@vedette/process/start-error';
import { enterableTemp } from '@vedette/process/temp-folder';
import { systemUser, type User } from '@vedette/process/users';
import { spawnAtHost } from '../browser/host/at-host.ts';
import { installedBrowser } from '../browser/installed.ts';
import { launchBrowser } from '../browser/launch.ts';
import { roomMissing } from '../browser/room.ts';
import { makeRunFolder } from '../browser/run-folder.ts';
import { spawnBrowser } from '../browser/spawn.ts';
import { makeTrustStore } from '../browser/trust-store.ts';
import type { RendererConfig } from '../ops/config.ts';
import type { BrowserEgress } from '../egress/index.ts';
import { browserSwitches } from './flags.ts';
import type { AdFilter } from '../page/ads/engine.ts';
import { createRenderPool, type PoolEvents, type RenderPool } from './pool.ts';
import { renders } from '../jobs/renders.ts';
import { sizing } from './sizing.ts';

export interface Browsers {
  pool: RenderPool;
  slots: number;
  /** This machine's shortage for a browser; empty when none is known. */
  lacks(): string;
  /** When the browser's package was made. */
  madeAt: Date;
  /** Ends them; resolves when no process and no file of them is left. */
  close(): Promise<void>;
}

export interface BrowsersOptions {
  egress: BrowserEgress;
  clock: Clock;
  /** The text of `userAgentOf`. */
  userAgent: string;
  adFilter: () => AdFilter;
  log: Log;
  events: Partial<PoolEvents>;
}

/** The index of the installation's user (`systemUser`) that runs browsers. */
const SEAT = 7;
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Starts this machine's browser as an unprivileged user. Throws a `StartError` that says what an operator can do where that is not possible. */
export async function openBrowsers({ settings, ca }: RendererConfig, options: BrowsersOptions): Promise<Browsers> {
  const { egress, clock, userAgent, adFilter, log, events } = options;
  const sandbox = settings.VEDETTE_CHROMIUM_SANDBOX === 'on';
  if (!sandbox)
    log.warn({}, "VEDETTE_CHROMIUM_SANDBOX is off: a page that breaks out of the browser's script engine has what this process has");
  const host = settings.VEDETTE_BROWSER_FOLDER;
  const user = host === undefined ? browserUser() : undefined;
  const folder = makeRunFolder(user === undefined ? tmpdir() : enterableTemp());
  try {
    const installed = await installedBrowser({
      chosen: settings.VEDETTE_CHROMIUM,
      kept: settings.VEDETTE_DATA_DIR,
      folder: folder.path,
      user,
    });
    const trustStore = ca.length > 0 ? await makeTrustStore(ca, folder.path) : undefined;
    const switches = browserSwitches({ deniedPort: egress.deniedPort, userAgent: browserAgentOf('desktop', userAgent) });
    const { lock, madeAt, ...browser } = installed;
    const command = { ...browser, switches, sandbox, trustStore };
    const spawn = () =>
      host === undefined ? spawnBrowser({ ...command, user, folder: folder.path, clock }) : spawnAtHost(host, command, clock);
    const { slots, limits } = sizing({ cores: availableParallelism(), memoryBytes: memoryBytes() });
    const lacks = () => roomMissing(folder.path);
    const pool = await createRenderPool({
      launch: () => launchBrowser({ spawn, clock }),
      egress,
      renders,
      clock,
      userAgent: ownTokenOf(userAgent),
      adFilter,
      slots,
      lacks,
      limits,
      log,
      events,
    });
    return {
      pool,
      slots,
      lacks,
      madeAt,
      async close() {
        await pool.close();
        lock?.release();
        folder.remove();
      },
    };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

/** The user that the browser runs as; undefined: our own. A browser that is root has no sandbox, and what breaks out of it has the machine. */
function browserUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = hasCapability('kill') ? systemUser(`renderer of ${ROOT}`, SEAT) : undefined;
  if (user !== undefined) return user;
  throw new StartError(
    'the browser does not run as root, and this container has no other users for it, or leaves its root no right to end their processes: start the renderer as another user, with `docker run --user` say',
  );
}

/** Memory of the machine, or of the container that we are in. */
const memoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);
