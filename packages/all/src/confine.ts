import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { HeldPostgres } from '@vedette/ledger';
import { canLeave, type Capability, hasCapability } from '@vedette/process/capabilities';
import { type Rights, startChild } from '@vedette/process/child';
import type { Log } from '@vedette/process/log';
import { sharedTemp } from '@vedette/process/temp-folder';
import { systemUser, type User } from '@vedette/process/users';
import type { PlannedRole } from './roles.ts';
import type { Role } from './supervisor.ts';

export interface Confinement {
  dataDir: string;
  /** The database of the data directory, where the gateway runs it. */
  database: HeldPostgres | undefined;
  log: Log;
}

/** Settings that name a file, which its reader may not be allowed to open where it is. */
const NAMES_A_FILE = /(_FILE|_CREDS|_CERTS|^PGPASSFILE)$/;

/**
 * Gives every role a user of its own, the capabilities that it needs, and copies of the files that its settings name. Only root can: where we are
 * not, and where this machine does not let us, the roles run as we do.
 */
export async function confine(roles: readonly PlannedRole[], { dataDir, database, log }: Confinement): Promise<Role[]> {
  const together = roles.filter(({ apart = false }) => !apart);
  if (process.getuid?.() !== 0) return together;
  if (!hasCapability('kill')) {
    log.warn({}, 'every process runs as root: without CAP_KILL users of their own could not be stopped');
    return together;
  }
  const gateway = roles.find(({ name }) => name === 'gateway');
  const owner = gateway && systemUser(dataDir, gateway.seat);
  if (!gateway || !owner) {
    log.warn({}, 'every process runs as root: this user namespace has no ids for users of their own');
    return together;
  }
  let reach: string[] | undefined;
  try {
    openDataDir(dataDir, owner);
    reach = await neededToRead(gateway, owner, dataDir, log);
    if (reach === undefined) return together;
    giveSecrets(dataDir, owner);
  } catch (err) {
    log.warn({ err }, 'every process runs as root: what is in the data directory cannot be given to users of their own');
    return together;
  }
  await database?.handOver({ user: owner, capabilities: reach, log });
  mkdirSync(join(dataDir, 'roles'), { recursive: true });
  chmodSync(join(dataDir, 'roles'), 0o711); // whatever the mask
  return roles.map((role) => {
    const user = systemUser(role.system ?? dataDir, role.seat)!;
    const capabilities = [...role.capabilities.filter(isOfUse), ...reach];
    if (role.reads) readableBy(role.reads, user);
    if (role.serves) openTo(role.serves.folder, user, systemUser(dataDir, role.serves.to)!);
    return { ...role, env: { ...withOwnFiles(role, user, dataDir), ...role.apartEnv }, rights: { user, capabilities } };
  });
}

/**
 * The data directory stays root's. All pass through it; the gateway keeps its secrets there and may add to it, and the sticky bit keeps what is not its
 * own from it.
 */
function openDataDir(dataDir: string, { gid }: User): void {
  chownSync(dataDir, 0, gid);
  chmodSync(dataDir, statSync(dataDir).mode | 0o1031);
}

/** Makes a folder of one user's, into which another may look. Its own user may have put anything there, a link too. */
function openTo(folder: string, { uid }: User, { gid }: User): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  lchownSync(folder, uid, gid);
  const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  fchmodSync(opened, 0o750);
  closeSync(opened);
}

/** Lets a user read the files of a folder that stays root's. Rewritten, they keep their modes (`writeWhole`). */
function readableBy(folder: string, { gid }: User): void {
  for (const name of readdirSync(folder)) {
    lchownSync(join(folder, name), 0, gid);
    chmodSync(join(folder, name), 0o640);
  }
  lchownSync(folder, 0, gid);
  chmodSync(folder, 0o750);
}

/** Files of an earlier start, once their new owner is known to be able to run. */
function giveSecrets(dataDir: string, { uid, gid }: User): void {
  for (const secret of ['bootstrap-key', 'admin-token'])
    try {
      lchownSync(join(dataDir, secret), uid, gid);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
}

/** Whether a role is to be left it: not what we lack ourselves, without which it does what it can. */
const isOfUse = (capability: Capability): boolean => canLeave(capability) && (capability !== 'net_raw' || needsRawIcmp());

/** Whether an echo needs a raw socket: net.ipv4.ping_group_range does not let every group send one without (icmp(7)). */
function needsRawIcmp(): boolean {
  try {
    const [first = 1, last = 0] = readFileSync('/proc/sys/net/ipv4/ping_group_range', 'utf8').trim().split(/\s+/).map(Number);
    return first > 0 || last < 0x7fff_ffff;
  } catch {
    return true; // a sandbox that does not show it
  }
}

/**
 * The capability that a user of ours needs to read this installation: none, or CAP_DAC_READ_SEARCH when a folder above it is closed (/root
 * is). Undefined: neither will do.
 */
async function neededToRead({ command, main }: PlannedRole, user: User, dataDir: string, log: Log): Promise<string[] | undefined> {
  const refusals: string[] = [];
  for (const capabilities of [[], ['dac_read_search']]) {
    const refusal = await refusalOf({ user, capabilities }, [dataDir, main, command]);
    if (refusal === undefined) {
      if (refusals.length > 0)
        log.warn(
          { reason: refusals[0] },
          'the processes keep the right to read every file of this machine (CAP_DAC_READ_SEARCH): a folder above the installation or its data is closed to others. Move both to where everybody may enter, /opt/vedette say',
        );
      return capabilities;
    }
    refusals.push(refusal);
  }
  log.warn(
    { reasons: refusals },
    'every process runs as root: users of their own could not read this installation, or setpriv(1) is missing',
  );
  return undefined;
}

/** Why a child with these rights cannot enter the folder, read the script and run the program; undefined where it can. */
async function refusalOf(rights: Rights, [folder, script, program]: [string, string, string]): Promise<string | undefined> {
  const lines: string[] = [];
  const child = startChild({
    command: '/bin/sh',
    args: ['-c', 'cd "$1" && : <"$2" && "$3" --version >/dev/null', 'sh', folder, script, program],
    endSignal: 'SIGTERM',
    rights,
    onLine: (line) => lines.push(line),
  });
  if (!child.endsWithUs) return 'setpriv(1) is not installed';
  const { code, error } = await child.gone;
  return code === 0 ? undefined : (error?.message ?? lines.join('; '));
}

/** Copies what a role's settings name to where it alone reads it, and says so in its settings. A file that is not there stays for it to miss. */
function withOwnFiles({ name, env, writes }: PlannedRole, { uid, gid }: User, dataDir: string): NodeJS.ProcessEnv {
  const folder = join(dataDir, 'roles', name.replace(' ', '-'));
  mkdirSync(folder, { recursive: true });
  chownSync(folder, 0, gid);
  chmodSync(folder, 0o750);
  const own = { ...env };
  if (own['TMPDIR'] !== undefined) own['TMPDIR'] = sharedTemp();
  for (const [setting, path] of Object.entries(env)) {
    if (!NAMES_A_FILE.test(setting) || !path || !statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const copy = join(folder, setting);
    rmSync(copy, { force: true });
    copyFileSync(path, copy, constants.COPYFILE_EXCL);
    chmodSync(copy, 0o400);
    chownSync(copy, uid, gid);
    own[setting] = copy;
  }
  for (const path of writes) {
    closeSync(openSync(path, 'a', 0o600));
    chownSync(path, uid, gid);
    chmodSync(path, 0o600);
  }
  // A cache of code that another one may write is a way into this one; without, each process takes less memory.
  delete own['NODE_COMPILE_CACHE'];
  return own;
}
