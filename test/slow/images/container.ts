import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World, WorldProcess } from '../../lab/world.ts';
import { descendants } from '../../system/processes.ts';
import type { Image } from '../../../scripts/release/build.ts';

const CONTAIN = join(import.meta.dirname, 'contain.py');
const ENDS_WITHIN_MS = 45_000;

export interface Container {
  process: WorldProcess;
  /** Its first process, as seen from outside. */
  pid: number;
  /** Runs its HEALTHCHECK; the exit code. */
  health(): Promise<number>;
  /** Runs a command in it, as its user. */
  run(argv: readonly string[]): Promise<string>;
  /** STOPSIGNAL; the exit code. */
  stop(): Promise<number | NodeJS.Signals>;
}

export interface Wanted {
  env: Record<string, string>;
  /** Files and folders of the machine, and where they stand in it. */
  files?: Record<string, string>;
  volumes?: Record<string, string>;
  seccomp?: string;
}

/** Starts an image as compose.yml has its service: nothing may be written to but volumes and /tmp, no capability, no new privileges. */
export async function startContainer(world: World, image: Image, { env, files = {}, volumes = {}, seccomp }: Wanted): Promise<Container> {
  const [uid = 0, gid = 0] = image.user.split(':').map(Number);
  const bind =
    (readonly: boolean) =>
    ([to, from]: [string, string]) => ({ from, to, readonly });
  const everything = { ...image.env, ...env };
  const spec = {
    root: image.root,
    uid,
    gid,
    cwd: image.workdir,
    argv: [...image.entrypoint, ...image.cmd],
    env: everything,
    tmpfs: ['/tmp'],
    binds: [...Object.entries(volumes).map(bind(false)), ...Object.entries(files).map(bind(true))],
    seccomp: seccomp === undefined ? undefined : (JSON.parse(readFileSync(seccomp, 'utf8')) as object),
  };
  const unshare = ['unshare', '--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child=KILL'];
  const program = await world.spawn(undefined, [...unshare, 'python3', CONTAIN, JSON.stringify(spec)]);
  await program.until(() => descendants(program.pid).length > 0);
  const [pid = 0] = descendants(program.pid);
  const within = (argv: readonly string[]): string[] => {
    const settings = Object.entries(everything).map(([name, value]) => `${name}=${value}`);
    const namespaces = [`--target=${pid}`, '--mount', '--pid', '--net', '--root', `--wdns=${image.workdir}`];
    return ['-i', ...settings, 'nsenter', ...namespaces, `--setuid=${uid}`, `--setgid=${gid}`, '--', ...argv];
  };
  const enter = (argv: readonly string[]): Promise<{ stdout: string; stderr: string; code: number }> =>
    new Promise((resolve) => {
      execFile('env', within(argv), { timeout: 30_000 }, (error, stdout, stderr) =>
        resolve({ stdout, stderr, code: error ? Number(error.code ?? -1) : 0 }),
      );
    });
  return {
    process: program,
    pid,
    health: async () => (await enter(image.healthcheck)).code,
    async run(argv) {
      const { stdout, stderr, code } = await enter(argv);
      if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${stderr}`);
      return stdout;
    },
    async stop() {
      process.kill(pid, image.stopSignal);
      const late = setTimeout(() => program.kill('SIGKILL'), ENDS_WITHIN_MS);
      const code = await program.ended;
      clearTimeout(late);
      return code;
    },
  };
}
