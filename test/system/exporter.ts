import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Debian's blackbox_exporter and Prometheus. */
export const BLACKBOX = '/usr/bin/prometheus-blackbox-exporter';
export const PROMETHEUS = '/usr/bin/prometheus';
export const hasPrograms = existsSync(BLACKBOX) && existsSync(PROMETHEUS);

/** Starts a program, and resolves when a page of its answers; it ends with what is given back. */
export async function startProgram(program: string, args: readonly string[], healthy: string): Promise<AsyncDisposable> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  for (let tries = 0; !(await fetch(healthy).catch(() => undefined))?.ok; tries++) {
    if (child.exitCode !== null || tries === 200) throw new Error(`${program} does not start: ${said}`);
    await sleep(50);
  }
  return {
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      kill();
      await gone;
    },
  };
}

/** One family of an exposition. */
export interface Family {
  help: string;
  type: string;
  /** Labels → value, as `{phase="tls"}`. */
  samples: Map<string, number>;
}

/** Reads the text format of Prometheus as strictly as what we compare needs it. */
export function familiesOf(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  const family = (name: string): Family => {
    const found = families.get(name) ?? { help: '', type: '', samples: new Map<string, number>() };
    families.set(name, found);
    return found;
  };
  for (const line of text.split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') family(name).help = rest;
    else if (keyword === 'TYPE') family(name).type = rest;
    else if (line !== '' && !line.startsWith('#')) {
      const [, sampled = '', labels = '', value = ''] = /^([a-z_]+)(\{.*\})? (\S+)$/.exec(line) ?? [];
      family(sampled).samples.set(labels, Number(value));
    }
  }
  return families;
}
