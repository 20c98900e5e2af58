import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Instruction, pairOf, pairsOf, readDockerfile, type Stage, substitute } from './dockerfile.ts';

/** What an image is: a root, and what its instructions say of who runs what in it. */
export interface Image {
  root: string;
  /** Arguments of the build, which are not in the image. */
  args: Record<string, string>;
  env: Record<string, string>;
  user: string;
  workdir: string;
  labels: Record<string, string>;
  volumes: string[];
  entrypoint: string[];
  cmd: string[];
  ports: number[];
  healthcheck: string[];
  /** `interval`, `timeout` … as written. */
  healthcheckFlags: Record<string, string>;
  stopSignal: string;
}

export interface Builder {
  /** Builds one stage, and those that it is made of, once. */
  build(stage: string): Image;
}

const MIRRORS = `deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian bookworm-updates main
deb http://deb.debian.org/debian-security bookworm-security main
`;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const RUN_MS = 15 * 60_000;
/** The npm cache of who runs this stands in for that of `--mount=type=cache`, and roots of his for those that Debian's package has. */
const CACHE = join(process.env['HOME'] ?? '/root', '.npm');
const ROOTS = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Does what the instructions of a Dockerfile say, in roots below `folder`; debootstrap's stands in for the base image. Needs root. `epoch`, in seconds
 * since 1970, is the time for programs that write one, as useradd does (SOURCE_DATE_EPOCH).
 */
export function createBuilder(
  dockerfile: string,
  { folder, given, epoch, log }: { folder: string; given: Record<string, string>; epoch: number; log: (line: string) => void },
): Builder {
  const stages = readDockerfile(readFileSync(dockerfile, 'utf8'));
  const context = makeContext(join(folder, 'context'));
  const base = join(folder, 'debian');
  const built = new Map<string, Image>();
  const build = (name: string): Image => {
    const kept = built.get(name);
    if (kept) return kept;
    const stage = stages.find((one) => one.name === name);
    if (!stage) throw new Error(`no stage ${name}`);
    const root = join(folder, name);
    const image = startOf(stage, root);
    for (const instruction of stage.instructions) follow(instruction, image, { context, build, given, epoch });
    built.set(name, image);
    return image;
  };
  const startOf = ({ from }: Stage, root: string): Image => {
    const fresh = {
      args: {},
      env: { PATH },
      user: '0:0',
      workdir: '/',
      labels: {},
      volumes: [],
      entrypoint: [],
      cmd: [],
      ports: [],
      healthcheck: [],
      healthcheckFlags: {},
      stopSignal: '',
    };
    if (from === 'scratch') {
      mkdirSync(root);
      return { ...fresh, root };
    }
    const parent = stages.some(({ name }) => name === from) ? build(from) : { ...fresh, root: debootstrap(base) };
    log(`${root}: from ${from}`);
    execFileSync('cp', ['-a', '--reflink=auto', parent.root, root]);
    return { ...parent, root, args: {}, env: { ...parent.env }, labels: {} };
  };
  const follow = ({ name, text }: Instruction, image: Image, from: Sources): void => {
    if (name !== 'ENV' && name !== 'LABEL') log(`${basename(image.root)}: ${name} ${text}`);
    const instruction = INSTRUCTIONS[name];
    if (!instruction) throw new Error(`${name} is not known here`);
    instruction(image, text, from);
  };
  return { build };
}

interface Sources {
  context: string;
  /** What `--build-arg` gives. */
  given: Readonly<Record<string, string>>;
  epoch: number;
  build: Builder['build'];
}

const INSTRUCTIONS: Record<string, (image: Image, text: string, from: Sources) => void> = {
  ARG: (image, text, { given }) =>
    void Object.assign(image.args, { ...pairOf(text), ...(Object.hasOwn(given, text) && { [text]: given[text] }) }),
  ENV: (image, text) => void Object.assign(image.env, pairsOf(text)),
  LABEL: (image, text) => void Object.assign(image.labels, pairsOf(substitute(text, image.args))),
  USER: (image, text) => void (image.user = text),
  WORKDIR: (image, text) => {
    image.workdir = text;
    mkdirSync(join(image.root, text), { recursive: true });
  },
  VOLUME: (image, text) => void image.volumes.push(text),
  EXPOSE: (image, text) => void image.ports.push(Number(text)),
  STOPSIGNAL: (image, text) => void (image.stopSignal = text),
  ENTRYPOINT: (image, text) => {
    image.entrypoint = wordsOf(text);
    image.cmd = [];
  },
  CMD: (image, text) => void (image.cmd = wordsOf(text)),
  HEALTHCHECK: (image, text) => {
    const [, flags = '', command = ''] = /^(.*) CMD (\[.*\])$/.exec(text) ?? [];
    image.healthcheck = wordsOf(command);
    image.healthcheckFlags = Object.fromEntries([...flags.matchAll(/--([\w-]+)=(\S+)/g)].map(([, name, value]) => [name!, value!]));
  },
  COPY: (image, text, { context, build }) => {
    const [, stage, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
    const words = paths.split(' ');
    const to = words.pop()!;
    const target = join(image.root, to.startsWith('/') ? to : join(image.workdir, to));
    const sources = words.map((source) => join(stage === undefined ? context : build(stage).root, source));
    mkdirSync(to.endsWith('/') || sources.length > 1 ? target : join(target, '..'), { recursive: true });
    // As COPY has it: of a folder what is in it, and owned by root.
    for (const source of sources)
      execFileSync('sh', [
        '-c',
        'if [ -d "$0" ]; then mkdir -p "$1" && cp -R -P --preserve=mode,timestamps "$0/." "$1"; else cp -P --preserve=mode,timestamps "$0" "$1"; fi',
        source,
        target,
      ]);
  },
  RUN: (image, text, { epoch }) => {
    const [, cached, command = ''] = /^(?:--mount=type=cache,target=(\S+) )?(.*)$/.exec(text) ?? [];
    const { root, workdir, args, env, user } = image;
    if (user !== '0:0') throw new Error('RUN as another user than root is not known here');
    const { status, stdout } = spawnSync(
      'unshare',
      ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child', 'sh', '-c', IN_ROOT, root, workdir, command, cached ?? ''],
      {
        env: { ...args, ...env, SOURCE_DATE_EPOCH: String(epoch), HOME: '/root', NODE_EXTRA_CA_CERTS: '/run/host-roots.crt', CACHE, ROOTS },
        encoding: 'utf8',
        timeout: RUN_MS,
        maxBuffer: 64 << 20,
      },
    );
    if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout.slice(-2000)}`);
  },
};

/** Folder, working directory, command and where the cache goes. What the machine lends for the time being is mounted, and so leaves nothing behind. */
const IN_ROOT = `exec 2>&1
set -e
mount --make-rprivate /
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
mount -t tmpfs run "$0/run"
cp "$ROOTS" "$0/run/host-roots.crt"
touch "$0/etc/resolv.conf"
mount --bind "$(readlink -f /etc/resolv.conf)" "$0/etc/resolv.conf"
[ -z "$3" ] || { mkdir -p "$CACHE" "$0$3"; mount --bind "$CACHE" "$0$3"; }
unset CACHE ROOTS
DEBIAN_FRONTEND=noninteractive exec chroot "$0" sh -c 'cd "$0"; exec sh -c "$1"' "$1" "$2"`;

/** A shell form would want a shell, which the agent's image has not. */
function wordsOf(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw new Error(`not a list of words: ${text}`);
}

/** The smallest Debian, with the mirrors of its image. */
function debootstrap(root: string): string {
  if (existsSync(root)) return root;
  const keys = '--keyring=/usr/share/keyrings/debian-archive-keyring.gpg';
  execFileSync('debootstrap', ['--variant=minbase', keys, 'bookworm', root, 'http://deb.debian.org/debian'], {
    stdio: 'ignore',
    timeout: RUN_MS,
  });
  writeFileSync(join(root, 'etc/apt/sources.list'), MIRRORS);
  // What debootstrap leaves of this machine and of this hour, and the image of Debian has not.
  execFileSync('sh', ['-ec', FORGET, root]);
  return root;
}

const FORGET = `cd "$0"
rm -f etc/hostname etc/resolv.conf etc/machine-id var/cache/ldconfig/aux-cache var/lib/apt/lists/*_*
rm -rf var/cache/apt/*.bin var/cache/apt/archives/*.deb
find var/log -type f -delete
find etc var/cache/debconf '(' -name '*-' -o -name '*-old' ')' -delete`;

/** What .dockerignore, which names what is let through, leaves of what git knows. */
function makeContext(folder: string): string {
  const lines = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => !/^(#|$)/.test(line));
  const through = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  if (lines[0] !== '*' || lines.at(-1) !== '**/node_modules') throw new Error('.dockerignore is not a list of what is let through');
  mkdirSync(folder);
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...through]);
  // Whatever the mask of who cloned.
  execFileSync('sh', ['-c', 'tar -c --null -T - --mode=a+rX,u+w,go-w | tar -x -C "$0"', folder], { input: files });
  return folder;
}
