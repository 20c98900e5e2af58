import { readdirSync, readFileSync } from 'node:fs';

/** A process of a browser. */
export interface Member {
  pid: number;
  /** It draws pages: what it takes is a page's doing. */
  tab: boolean;
  /** Memory that is its own or shared with others of the browser, without files of the disk. */
  bytes: number;
}

/** The processes of a group that have not ended, as /proc has them now. */
export function membersOf(group: number): Member[] {
  const members: Member[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The command may hold blanks (proc_pid_stat(5)).
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
      if (Number(pgrp) !== group || state === 'Z') continue;
      const status = readFileSync(`/proc/${name}/status`, 'latin1');
      const kilobytes = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      members.push({
        pid: Number(name),
        tab: readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('--type=renderer'),
        bytes: (kilobytes('RssAnon') + kilobytes('RssShmem')) * 1024,
      });
    } catch {
      // It ended meanwhile.
    }
  }
  return members;
}

/** Ends every process of a group at once. */
export const killGroup = (group: number): boolean => signalGroup(group, 'SIGKILL');

/** Whether a process of the group is there, if only to be reaped. */
export const groupExists = (group: number): boolean => signalGroup(group, 0);

/** False when the group is empty. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
