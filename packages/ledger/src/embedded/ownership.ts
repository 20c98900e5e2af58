import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '@vedette/process/start-error';
import type { User } from '@vedette/process/users';

/** Gives away a file or a folder with all that is in it. chown(1) follows no link, not even one that is put there meanwhile. */
export async function giveTo({ uid, gid }: User, path: string): Promise<void> {
  await promisify(execFile)('chown', ['-h', '-R', '-P', `${uid}:${gid}`, '--', path]);
}

/** Whether the user may reach what is inside the directory: search permission on it and on everything above it. */
export async function mayEnter(user: User, directory: string): Promise<boolean> {
  for (let path = resolve(directory); ; path = dirname(path)) {
    const entry = await stat(path).catch(() => undefined);
    if (entry) {
      const bit = entry.uid === user.uid ? 0o100 : entry.gid === user.gid ? 0o010 : 0o001;
      if ((entry.mode & bit) === 0) return false;
    }
    if (path === dirname(path)) return true;
  }
}

/** Throws a `StartError` when /etc/passwd does not list our user, as with `docker run --user 1234`: initdb asks for the name of its user. */
export function assertNamed(): void {
  try {
    userInfo();
  } catch (cause) {
    throw new StartError(
      `PostgreSQL is not set up by user ${process.getuid?.()}, who has no name: add a line for it to /etc/passwd, start as another user, or set VEDETTE_DATABASE_URL`,
      { cause },
    );
  }
}

// The Linux Standard Base has `bin`, and nothing runs as it; `nobody` exists everywhere.
const WITH_ACCOUNT = ['bin', 'nobody'];

/** A user with an account, for `initdb`, which wants a name. */
export async function userWithAccount(): Promise<User> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [, , uid, gid] = WITH_ACCOUNT.map((wanted) => lines.find(([name]) => name === wanted)).find((found) => found !== undefined) ?? [];
  if (!uid || !gid)
    throw new StartError('PostgreSQL is not set up by root, and neither user "bin" nor "nobody" exists: start as another user');
  return { uid: Number(uid), gid: Number(gid) };
}
