import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeJoinToken, type JoinToken, JoinTokenError, openBus, subjects } from '@vedette/bus';
import { systemClock } from '@vedette/probes/net';
import { RELEASE } from '@vedette/process/release';
import { StartError } from '@vedette/process/start-error';

/** The changes that joining may make to the machine. */
export interface JoinPorts {
  print: (line: string) => void;
  /** Tells what is wrong with how it was asked for. */
  warn: (line: string) => void;
  /** Whether systemd runs here and we may tell it what to do. */
  managesUnits: boolean;
  /** Where settings and key are written: /etc/vedette of root, else ours. */
  folder: string;
  /** Where units are. */
  units: string;
  /** The agent's unit as it is delivered; with settings and key in /etc/vedette. */
  unit: string;
  /** Runs a command of the system; throws where it fails. */
  run: (command: string, args: readonly string[]) => void;
  /** The folder that this agent is in, the bundle's or a clone. */
  home: string;
  /** The Node that it runs on: an absolute path. */
  node: string;
  /** How this agent is started: a command for ExecStart= and for people, with absolute paths. */
  command: string;
}

export const systemPorts = (): JoinPorts => {
  const isRoot = process.getuid?.() === 0;
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`vedette agent join: ${line}\n`),
    managesUnits: isRoot && existsSync('/run/systemd/system'),
    folder: isRoot ? '/etc/vedette' : join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'vedette'),
    units: '/etc/systemd/system',
    node: process.execPath,
    run: (command, args) => void execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }),
    ...(RELEASE.commit === undefined ? ofCheckout(resolve(import.meta.dirname, '../../..')) : ofBundle(dirname(resolve(process.argv[1]!)))),
  };
};

const UNIT = 'vedette-agent.service';

const ofCheckout = (root: string) => ({
  home: root,
  unit: join(root, 'deploy/systemd', UNIT),
  command: `/bin/sh ${join(root, 'scripts/run.sh')} packages/agent/src/main.ts`,
});
const ofBundle = (folder: string) => ({ home: folder, unit: join(folder, UNIT), command: `${join(folder, 'vedette')} agent` });

const LINE_MAX_BYTES = 64 * 1024;

/** The first line of the standard input, which a person may be typing. */
function firstLine(): string {
  const line = Buffer.alloc(LINE_MAX_BYTES);
  let length = 0;
  while (length < line.length && !line.subarray(0, length).toString().trimStart().includes('\n')) {
    const read = readSync(0, line, length, line.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return line.subarray(0, length).toString().trim();
}

/** The token, from where no list of processes shows it, or as an argument. */
function tokenOf({ argument, 'token-file': file }: { argument: string; 'token-file'?: string }, { warn }: JoinPorts): string {
  try {
    if (file !== undefined) return readFileSync(file, 'utf8');
    if (argument === '-') return firstLine();
  } catch (cause) {
    throw new StartError(`the token cannot be read: ${(cause as Error).message}`, { cause });
  }
  warn('while this runs everybody on this machine can read the token in the list of processes: use - or --token-file');
  return argument;
}

/**
 * Makes this machine one of a location: asks the bus whether it lets the agent in, writes settings and key, and starts the unit where it
 * can. The same token again changes nothing that is as it should be. Returns the settings with which the agent runs. Throws a `StartError`
 * when the token is invalid, or the bus cannot be reached or refuses; then nothing is written.
 */
async function joinFleet(text: string, ports: JoinPorts): Promise<Record<string, string>> {
  const token = read(text);
  if (ports.managesUnits) {
    assertOpen('this agent', ports.home);
    assertOpen('this Node', dirname(ports.node));
  }
  await assertLetIn(token);
  ports.print(`the bus lets an agent of ${token.location} in`);
  const { folder } = ports;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new StartError(`settings and key belong into ${folder}, where we may not write: set HOME or XDG_CONFIG_HOME, or be root`, {
      cause,
    });
  }
  const key = join(folder, 'agent.nkey');
  const roots = join(folder, 'bus-ca.pem');
  const settings: Record<string, string> = {
    VEDETTE_LOCATION: token.location,
    VEDETTE_NATS_URL: token.urls.join(','),
    ...(token.agent !== undefined && { VEDETTE_AGENT_ID: token.agent }),
    ...(token.ca && { VEDETTE_NATS_CA_FILE: roots }),
  };
  const wrote = [
    ...(token.ca ? [put(roots, token.ca.join(''), 0o644)] : []),
    put(key, `${token.seed}\n`, 0o600),
    put(join(folder, 'agent.env'), withSettings(join(folder, 'agent.env'), settings), 0o600),
  ].some(Boolean);
  ports.print(`${folder}: ${wrote ? 'settings and key are written' : 'settings and key are there'}`);
  if (ports.managesUnits) startUnit(ports, wrote);
  else
    ports.print(
      `No unit is started: systemd does not run here, we are not root, or a folder was named. To run the agent:\n  set -a; . ${join(folder, 'agent.env')}; set +a; VEDETTE_NATS_CREDS=${key} ${ports.command}`,
    );
  return { ...settings, VEDETTE_NATS_CREDS: key };
}

/** Folders that ProtectHome= and PrivateTmp= hide from the unit. */
const HIDDEN = ['/home', '/root', '/run/user', '/tmp', '/var/tmp'];
const OTHERS_ENTER = 0o001;

/** Throws where the unit could not get to the agent, as in a home: it would fail when joining is over. */
function assertOpen(what: string, home: string): void {
  for (let path = home; ; path = dirname(path)) {
    if (HIDDEN.includes(path) || (statSync(path).mode & OTHERS_ENTER) === 0)
      throw new StartError(`the unit has a user of its own, who cannot enter ${path}: move ${what}, to /opt say, and join from there`);
    if (path === dirname(path)) return;
  }
}

function read(text: string): JoinToken {
  try {
    return decodeJoinToken(text);
  } catch (cause) {
    if (cause instanceof JoinTokenError) throw new StartError(cause.message, { cause });
    throw cause;
  }
}

const REFUSAL_MS = 200;

/** Throws unless the bus answers, knows the key, and knows it for this location. */
async function assertLetIn({ urls, seed, ca, location, agent }: JoinToken): Promise<void> {
  const refused: string[] = [];
  const where = urls.join(' or ');
  const bus = await openBus({
    url: urls.join(','),
    name: `vedette agent join ${location}`,
    clock: systemClock,
    credentials: seed,
    roots: ca,
    waitOnFirstConnect: false,
    onWarning: (code, detail) => void (code.startsWith('forbidden') && refused.push(detail)),
  }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(
      /authori[sz]ation/i.test(why)
        ? `the bus at ${where} does not know the key of this token: was the location removed, or have its servers not read their configuration yet?`
        : `no bus at ${where}: ${why}. An agent needs TCP to it, outward alone`,
      { cause },
    );
  });
  try {
    bus.subscribe(subjects.cancel(location), () => {});
    if (agent !== undefined) bus.subscribe(subjects.pinnedJob('*', location, agent), () => {});
    await bus.flush();
    await systemClock.sleep(REFUSAL_MS); // what is forbidden is told behind the server's answer
    if (refused.length > 0)
      throw new StartError(`the key of this token is not one of ${agent ?? location}: the bus forbids ${refused.join(', ')}`);
  } finally {
    await bus.close();
  }
}

/** Settings that joining writes into `agent.env`. */
const JOINED = ['VEDETTE_LOCATION', 'VEDETTE_NATS_URL', 'VEDETTE_AGENT_ID', 'VEDETTE_NATS_CA_FILE'];

/** The lines of `agent.env` that an operator wrote. */
const ownLines = (lines: readonly string[]): string[] => lines.filter((line) => line !== '' && !JOINED.includes(line.split('=')[0]!));

/** Writes a file whole, where it is not as it should be, nor only for whom it should be. Returns whether it was written. */
function put(path: string, text: string, mode: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && (there.mode & 0o777 & ~mode) === 0 && readFileSync(path, 'utf8') === text) return false;
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, text, { flag: 'wx', mode, flush: true });
  renameSync(fresh, path);
  return true;
}

/** The settings file with ours in it: what an operator wrote beside them stays. */
function withSettings(path: string, settings: Readonly<Record<string, string>>): string {
  const kept = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const others = ownLines(kept);
  return [...Object.entries(settings).map(([name, value]) => `${name}=${value}`), ...others, ''].join('\n');
}

/** The values that differ between machines: the agent's path, and that of its Node, which need not be on systemd's path. */
const dropIn = (
  command: string,
  node: string,
): string => `# Written by "vedette agent join": systemctl edit vedette-agent for lines of your own.
[Service]
ExecStart=
ExecStart=${command}
Environment=PATH=${dirname(node)}:/usr/local/bin:/usr/bin:/bin
ProtectHome=read-only
`;

function startUnit({ units, unit, command, node, run, print }: JoinPorts, changed: boolean): void {
  const ours = join(units, `${UNIT}.d`);
  mkdirSync(ours, { recursive: true, mode: 0o755 });
  const isNew = [
    put(join(units, UNIT), readFileSync(unit, 'utf8'), 0o644),
    put(join(ours, 'join.conf'), dropIn(command, node), 0o644),
  ].some(Boolean);
  if (isNew) run('systemctl', ['daemon-reload']);
  run('systemctl', ['enable', UNIT]);
  run('systemctl', [isNew || changed ? 'restart' : 'start', UNIT]);
  print(`the unit ${UNIT} runs: journalctl -u vedette-agent`);
}

const USAGE = `vedette agent join - | --token-file <file> [--folder <folder>] [--foreground]
  -             reads the token from the standard input
  --token-file  reads the token from a file
  --folder      folder for settings and key; no unit is started then
  --foreground  runs the agent here instead of a unit`;

function argumentsOf(args: readonly string[]) {
  try {
    const options = {
      'token-file': { type: 'string' },
      folder: { type: 'string' },
      foreground: { type: 'boolean', default: false },
    } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [argument = '', ...more] = positionals;
    if ((argument === '') !== (values['token-file'] === undefined) && more.length === 0) return { ...values, argument };
  } catch (cause) {
    throw new StartError(`${(cause as Error).message}\n${USAGE}`, { cause });
  }
  throw new StartError(USAGE);
}

/** `agent join`: joins, and where told to, goes on as the agent. Returns whether to go on; the environment is then the agent's. */
export async function joinByArguments(args: readonly string[], env: NodeJS.ProcessEnv, ports: JoinPorts): Promise<boolean> {
  const { folder, foreground, ...token } = argumentsOf(args);
  const settings = await joinFleet(tokenOf(token, ports), {
    ...ports,
    ...(folder !== undefined && { folder: resolve(folder) }),
    managesUnits: ports.managesUnits && folder === undefined && !foreground,
    ...(foreground && { print: () => {} }),
  });
  if (foreground) Object.assign(env, settings);
  return foreground;
}

const LEAVE_USAGE = `vedette agent leave [--folder <folder>]
  --folder  folder of settings and key`;

/** `agent leave`: ends the unit and deletes what joining wrote; an operator's own settings stay. Throws a `StartError` where no agent has joined. */
export function undoJoinByArguments(args: readonly string[], ports: JoinPorts): void {
  const named = folderIn(args);
  const folder = named === undefined ? ports.folder : resolve(named);
  const [key, settings] = [join(folder, 'agent.nkey'), join(folder, 'agent.env')];
  if (!existsSync(key)) throw new StartError(`no agent has joined here: there is no ${key}`);
  const lines = existsSync(settings) ? readFileSync(settings, 'utf8').split('\n') : [];
  const location = lines.find((line) => line.startsWith('VEDETTE_LOCATION='))?.slice('VEDETTE_LOCATION='.length);
  if (ports.managesUnits && named === undefined) endUnit(ports);
  const others = ownLines(lines);
  try {
    rmSync(join(folder, 'bus-ca.pem'), { force: true });
    if (others.length > 0) put(settings, [...others, ''].join('\n'), 0o600);
    else rmSync(settings, { force: true });
    // Last: as long as the key is there, leaving can be tried again.
    rmSync(key);
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  } catch (cause) {
    throw new StartError(`${folder} cannot be changed: ${(cause as Error).message}`, { cause });
  }
  ports.print(
    `This machine has left ${location ?? 'its location'}: settings and key are deleted. An agent that runs without a unit has to be ended.`,
  );
  if (location !== undefined) ports.print(`Where the fleet is managed, this shuts the key out: vedette fleet remove ${location}`);
}

function endUnit({ units, run, print }: JoinPorts): void {
  const unit = join(units, UNIT);
  if (!existsSync(unit)) return;
  run('systemctl', ['disable', '--now', UNIT]);
  rmSync(unit);
  rmSync(join(`${unit}.d`, 'join.conf'), { force: true });
  if (existsSync(`${unit}.d`) && readdirSync(`${unit}.d`).length === 0) rmdirSync(`${unit}.d`);
  run('systemctl', ['daemon-reload']);
  print(`the unit ${UNIT} has ended`);
}

function folderIn(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { folder: { type: 'string' } } }).values.folder;
  } catch (cause) {
    throw new StartError(`${(cause as Error).message}\n${LEAVE_USAGE}`, { cause });
  }
}
