import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../free-ports.ts';
import { type BuiltZone, buildZone, type ZoneSpec } from './zone-files.ts';

export interface ZoneServers {
  directory: string;
  /** named, authoritative for all zones. */
  authoritative: { address: string; port: number };
  /** unbound in front of it: recursive, validating, with the lab's root key. */
  recursive: { address: string; port: number };
  /** The root's DNSKEY records, as in a trust anchor file. */
  anchors: string;
  close(): Promise<void>;
}

const ADDRESS = '127.0.0.1';

export interface ServingOptions {
  /** Of named; any free one by default. */
  authoritativePort?: number;
  /** More of unbound's `server:` section. */
  unbound?: string;
}

/** Builds the zones (children before parents) and serves them. Nothing outlives `close`. */
export async function serveZones(specs: readonly ZoneSpec[], options: ServingOptions = {}): Promise<ZoneServers> {
  const directory = await mkdtemp(join(tmpdir(), 'vedette-zones-'));
  const children: ChildProcess[] = [];
  const killAll = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.once('exit', killAll);
  const close = async () => {
    process.removeListener('exit', killAll);
    await Promise.all(children.map(stop));
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const built = await buildAll(directory, specs);
    const anchors = built.find(({ name }) => name === '.')!.ksk;
    const [free, recursivePort] = (await freePorts(2)) as [number, number];
    const authoritativePort = options.authoritativePort ?? free;
    await writeFile(join(directory, 'named.conf'), namedConf(directory, authoritativePort, built));
    await writeFile(join(directory, 'root.key'), `${anchors}\n`);
    await writeFile(join(directory, 'unbound.conf'), unboundConf(directory, authoritativePort, recursivePort, options.unbound));
    children.push(spawn('named', ['-g', '-n', '1', '-c', join(directory, 'named.conf')], { stdio: 'ignore' }));
    await answering(authoritativePort);
    children.push(spawn('unbound', ['-d', '-c', join(directory, 'unbound.conf')], { stdio: 'ignore' }));
    await answering(recursivePort);
    return {
      directory,
      authoritative: { address: ADDRESS, port: authoritativePort },
      recursive: { address: ADDRESS, port: recursivePort },
      anchors,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function buildAll(directory: string, specs: readonly ZoneSpec[]): Promise<BuiltZone[]> {
  const built: BuiltZone[] = [];
  const depth = ({ name }: { name: string }) => (name === '.' ? 0 : name.split('.').length);
  const parentOf = (name: string) => (name.includes('.') ? name.slice(name.indexOf('.') + 1) : '.');
  for (let level = Math.max(...specs.map(depth)); level >= 0; level--) {
    const queue = specs.filter((spec) => depth(spec) === level);
    const worker = async () => {
      for (let spec = queue.shift(); spec; spec = queue.shift()) {
        const own = spec.name;
        built.push(
          await buildZone(
            directory,
            spec,
            built.filter(({ name }) => name !== '.' && parentOf(name) === own),
          ),
        );
      }
    };
    await Promise.all([worker(), worker()]);
  }
  return built;
}

const namedConf = (directory: string, port: number, zones: readonly BuiltZone[]): string => `
options {
  directory "${directory}";
  listen-on port ${port} { ${ADDRESS}; };
  listen-on-v6 { none; };
  pid-file none;
  session-keyfile none;
  recursion no;
  dnssec-validation no;
  minimal-responses yes;
  notify no;
  check-names primary ignore;
};
controls { };
${zones.map(({ name, file }) => `zone "${name}" { type primary; file "${file}"; check-integrity no; };`).join('\n')}
`;

const unboundConf = (directory: string, upstream: number, port: number, more = ''): string => `
server:
  directory: "${directory}"
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  logfile: ""
  do-daemonize: no
  interface: ${ADDRESS}@${port}
  do-ip6: no
  do-not-query-localhost: no
  trust-anchor-file: "${join(directory, 'root.key')}"
  module-config: "validator iterator"
  aggressive-nsec: no
  local-zone: "test." nodefault
  ${more}
remote-control:
  control-enable: no
forward-zone:
  name: "."
  forward-addr: ${ADDRESS}@${upstream}
`;

/** Waits until a server answers for the root. */
async function answering(port: number): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const output = await outputOf('kdig', [`@${ADDRESS}`, '-p', String(port), '+timeout=1', '+retry=0', '.', 'SOA']);
    if (output.includes('status: NOERROR')) return;
    await sleep(50);
  }
  throw new Error(`no DNS server on port ${port}`);
}

/** What a command prints, on stdout and stderr, whatever its exit status. */
export const outputOf = (command: string, args: string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(command, args, { timeout: 15_000 }, (_error, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}
