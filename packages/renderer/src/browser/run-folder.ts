import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = 'vedette-renderer-';

/** A folder for what a renderer's browsers write. */
export interface RunFolder {
  path: string;
  /** Removes it with all that is in it. */
  remove(): void;
}

/**
 * Makes one in `temp`, and removes those of renderers that were killed. The name has the process that made it: its number, when that began,
 * and in which PID namespace the number counts.
 */
export function makeRunFolder(temp: string): RunFolder {
  const namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  for (const name of readdirSync(temp)) {
    const [, pid = '', began = '', space = ''] = /^vedette-renderer-(\d+)-(\d+)-(\d+)-/.exec(name) ?? [];
    if (space !== namespace || beganAt(pid) === began) continue;
    try {
      rmSync(join(temp, name), { recursive: true, force: true });
    } catch {
      // another user's
    }
  }
  const path = mkdtempSync(join(temp, `${PREFIX}${process.pid}-${beganAt('self')}-${namespace}-`));
  chmodSync(path, 0o711); // the browser's user passes through it
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Start of a process, in ticks since the machine's (proc_pid_stat(5), field 22); undefined for a missing process or a zombie. */
function beganAt(pid: string): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
