import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Stage, pairsOf, readDockerfile } from '../../scripts/release/dockerfile.ts';

const stages = readDockerfile(readFileSync('deploy/Dockerfile', 'utf8'));
const ROLES = ['agent', 'gateway', 'renderer'];
const roles = stages.filter(({ name }) => ROLES.includes(name));
const textsOf = ({ instructions }: Stage, name: string): string[] =>
  instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);

it('there is an image for each role', () => {
  expect(roles.map(({ name }) => name)).toEqual(ROLES);
});

it('images begin with a Debian of a certain day, with one of our stages, or with nothing', () => {
  const names = stages.map(({ name }) => name);
  const others = stages.map(({ from }) => from).filter((from) => from !== 'scratch' && !names.includes(from));
  expect(others.filter((from) => !/^debian:\w+-\d{8}-slim$/.test(from))).toEqual([]);
  expect(new Set(others).size).toBe(1);
});

it.each(roles)('$name says who runs it, how it is stopped and whether it lives', (stage) => {
  expect(textsOf(stage, 'USER')).toEqual([expect.stringMatching(/^(1\d{4}):\1$/)]);
  expect(textsOf(stage, 'STOPSIGNAL')).toEqual(['SIGTERM']);
  expect(textsOf(stage, 'HEALTHCHECK')).toEqual([expect.stringMatching(/ CMD \["\/usr\/local\/bin\/node", "\S+healthcheck\.mjs"\]$/)]);
  expect(textsOf(stage, 'ENTRYPOINT').map((text) => (JSON.parse(text) as string[])[0])).toEqual([
    stage.name === 'renderer' ? '/usr/bin/tini' : '/usr/local/bin/node',
  ]);
  expect(Object.keys(pairsOf(textsOf(stage, 'LABEL').join(' ')))).toEqual(
    ['title', 'description', 'licenses', 'version', 'revision'].map((key) => `org.opencontainers.image.${key}`),
  );
});

it('each image has a user that no other has', () => {
  expect(new Set(roles.flatMap((stage) => textsOf(stage, 'USER'))).size).toBe(ROLES.length);
});

it('what is run is there, and as the version of this release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  for (const stage of roles) {
    expect(textsOf(stage, 'ARG')).toContain(`VERSION=${version}`);
    const [text = ''] = textsOf(stage, 'ENTRYPOINT');
    const [, main] = /"\/opt\/vedette\/(packages\/[^"]+)"/.exec(text) ?? [];
    expect(stage.name === 'agent' ? main : existsSync(main!)).toBe(stage.name === 'agent' ? undefined : true);
  }
});

it('the agent is started as its launcher starts it', () => {
  const launcher = readFileSync('packages/agent/vedette', 'utf8');
  const agent = roles.find(({ name }) => name === 'agent')!;
  const [, flags = ''] = /^set -- (--\S+(?: --\S+)*) "\$here\/agent\.mjs" "\$@"$/m.exec(launcher) ?? [];
  const [, arenas = ''] = /MALLOC_ARENA_MAX:-(\d+)/.exec(launcher) ?? [];
  expect(JSON.parse(textsOf(agent, 'ENTRYPOINT')[0]!)).toEqual([
    '/usr/local/bin/node',
    ...flags.split(' '),
    '/opt/vedette/agent/agent.mjs',
  ]);
  expect(pairsOf(textsOf(agent, 'ENV').join(' '))).toMatchObject({ MALLOC_ARENA_MAX: arenas });
});

it('nothing goes into a build that .dockerignore does not name', () => {
  const lines = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  const named = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

interface Profile {
  defaultAction: string;
  syscalls: { names: string[]; action: string; args?: { index: number; value: number; valueTwo: number; op: string }[] }[];
}
const profile = JSON.parse(readFileSync('deploy/seccomp/vedette.json', 'utf8')) as Profile;

/** System calls of a set of systemd's; undefined where there is no systemd-analyze. */
function systemCalls(set: string): string[] | undefined {
  const { status, stdout } = spawnSync('systemd-analyze', ['syscall-filter', set], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  const words = stdout
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((word) => /^@?\w/.test(word));
  return words.flatMap((word) => (word.startsWith('@') ? systemCalls(word)! : [word]));
}

/** What the units may and a container need not: keys of the kernel, memory of others, namespaces of others, and ways in that have had many holes. */
const LESS = [
  'kcmp',
  'process_vm_readv',
  'process_vm_writev',
  'setns',
  'userfaultfd',
  'io_uring_enter',
  'io_uring_register',
  'io_uring_setup',
];
/** Allowed with some arguments only, or answered as by a kernel that has it not. */
const BY_ARGUMENT = ['clone', 'unshare', 'clone3', 'socket'];

const service = systemCalls('@system-service');
// systemd's list grows with its version: what a newer one has more is no defect of ours.
it.skipIf(!service)('the seccomp profile allows what the renderer’s unit does, less what it need not', () => {
  const [allowed] = profile.syscalls;
  const unit = new Set([...service!, 'chroot', 'seccomp']);
  expect(allowed!.names.filter((name) => !unit.has(name))).toEqual([]);
  const left = [...LESS, ...BY_ARGUMENT, ...systemCalls('@keyring')!];
  expect(allowed!.names.filter((name) => left.includes(name))).toEqual([]);
  const needed = ['execve', 'prctl', 'chroot', 'seccomp', 'capset', 'setpriority', 'mmap', 'futex', 'epoll_wait', 'memfd_create', 'statx'];
  expect(needed.filter((name) => !allowed!.names.includes(name))).toEqual([]);
});

it('the seccomp profile lets nobody make namespaces of mounts, names, IPC and control groups, nor other sockets than the units', () => {
  expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO');
  const flags = { CLONE_NEWNS: 0x20000, CLONE_NEWUTS: 0x4000000, CLONE_NEWIPC: 0x8000000, CLONE_NEWCGROUP: 0x2000000 };
  const mask = Object.values(flags).reduce((sum, flag) => sum | flag, 0);
  const rules = profile.syscalls.slice(1).map(({ names, action, args }) => ({ names, action, args }));
  const family = (value: number) => ({
    names: ['socket'],
    action: 'SCMP_ACT_ALLOW',
    args: [{ index: 0, value, valueTwo: 0, op: 'SCMP_CMP_EQ' }],
  });
  expect(rules).toEqual([
    { names: ['clone', 'unshare'], action: 'SCMP_ACT_ALLOW', args: [{ index: 0, value: mask, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }] },
    { names: ['clone3'], action: 'SCMP_ACT_ERRNO' }, // ENOSYS: the C library then asks for clone
    ...[1, 2, 10, 16].map(family), // AF_UNIX, AF_INET, AF_INET6, AF_NETLINK
  ]);
});
