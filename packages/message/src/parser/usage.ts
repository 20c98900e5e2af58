import { readFileSync } from 'node:fs';

/** The resources that a process has used. */
export interface Usage {
  /** CPU time of all its threads. */
  cpuMs: number;
  /** Memory that it has in RAM, files that it maps included. */
  residentBytes: number;
}

/** Clock ticks of /proc a second, whatever the kernel's own are (sysconf(_SC_CLK_TCK)). */
const TICKS_PER_S = 100;

/** The resources that a process has used so far, by /proc (proc_pid_stat(5)); undefined once it has gone. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command may hold blanks; the first field after it is the state, the third of the file.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    return { cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_S, residentBytes: kilobytes * 1024 };
  } catch {
    return undefined;
  }
}
