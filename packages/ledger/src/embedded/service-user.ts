import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { StartError } from '@vedette/process/start-error';

export interface ServiceUser {
  name: string;
  uid: number;
  gid: number;
}

// `postgres` exists where the distribution's server is installed, `nobody` everywhere.
const PREFERRED = ['postgres', 'nobody'];

/**
 * Who runs PostgreSQL, which refuses root and wants a passwd entry. Undefined when we are not root: then we do.
 * The owner of an existing cluster stays its owner.
 */
export async function serviceUser(cluster: string): Promise<ServiceUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8'));
  const owner = await stat(cluster).catch(() => undefined);
  const user =
    users.find(({ uid }) => uid !== 0 && uid === owner?.uid) ??
    PREFERRED.map((wanted) => users.find(({ name }) => name === wanted)).find((found) => found !== undefined);
  if (!user)
    throw new StartError('PostgreSQL does not run as root, and neither user "postgres" nor "nobody" exists: start as another user');
  return user;
}

function parsePasswd(text: string): ServiceUser[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/** Whether the user may reach what is inside the directory: search permission on it and on everything above it. */
export async function mayEnter(user: ServiceUser, directory: string): Promise<boolean> {
  for (let path = resolve(directory); ; path = dirname(path)) {
    const entry = await stat(path).catch(() => undefined);
    if (entry) {
      const bit = entry.uid === user.uid ? 0o100 : entry.gid === user.gid ? 0o010 : 0o001;
      if ((entry.mode & bit) === 0) return false;
    }
    if (path === dirname(path)) return true;
  }
}
