import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Profiles } from '@vedette/cli/profiles';
import { expect, it } from 'vitest';
import { ROOT } from '../repo/pages.ts';
import { folder, json, vedette } from './vedette.ts';

const isThere = ['secret-tool', 'gnome-keyring-daemon', 'dbus-run-session'].every(
  (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0,
);
const URL = 'http://127.0.0.1:8080';

/** A keyring that notes its arguments: other users could see them. */
function notedKeyring(): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\necho "$@" >>'${folder}/arguments'\ncase $1 in store) cat >'${folder}/secret' ;; lookup) cat '${folder}/secret' ;; clear) rm '${folder}/secret' ;; esac\n`;
  writeFileSync(join(bin, 'secret-tool'), script, { mode: 0o755 });
  return bin;
}

it('keeps a key in the keyring: neither in the file of profiles nor among the arguments of a process', async () => {
  const path = process.env['PATH']!;
  process.env['PATH'] = `${notedKeyring()}:${path}`;
  try {
    const file = join(folder, 'ring/profiles.json');
    const profiles = new Profiles(file);
    const answer = () => json({ credits: { remained: 12 } });
    await vedette(['login', URL, '--profile', 'lab', '--keyring'], answer, { profiles, secret: 'vdt_secret' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ current: 'lab', profiles: { lab: { url: URL, keyring: true } } });
    expect(profiles.withKey('lab')).toEqual({ url: URL, key: 'vdt_secret' });
    await vedette(['profile', 'remove', 'lab'], answer, { profiles });
    expect(profiles.read().profiles).toEqual({});
    expect(readFileSync(join(folder, 'arguments'), 'utf8').split('\n')).toEqual([
      `store --label Vedette: lab service vedette profile lab url ${URL}`,
      `lookup service vedette profile lab url ${URL}`,
      `clear service vedette profile lab url ${URL}`,
      '',
    ]);
  } finally {
    process.env['PATH'] = path;
  }
});

it.each([
  ['another gateway', 'http://127.0.0.1:9090', ['--keyring']],
  ['the file', URL, []],
])('leaves no key behind in the keyring when a profile goes to %s', async (_where, url, flags) => {
  const path = process.env['PATH']!;
  process.env['PATH'] = `${notedKeyring()}:${path}`;
  try {
    const profiles = new Profiles(join(folder, `moved${flags.length}/profiles.json`));
    const login = (...words: string[]) =>
      vedette(['login', ...words, '--profile', 'lab'], () => json({ credits: { remained: 1 } }), { profiles, secret: 'vdt_secret' });
    await login(URL, '--keyring');
    rmSync(join(folder, 'arguments'));
    await login(URL, '--keyring');
    const again = readFileSync(join(folder, 'arguments'), 'utf8');
    expect(again).not.toContain('clear');
    await login(url, ...flags);
    expect(readFileSync(join(folder, 'arguments'), 'utf8').split('\n')).toContain(`clear service vedette profile lab url ${URL}`);
  } finally {
    process.env['PATH'] = path;
  }
});

it('says what is missing where there is no keyring, and keeps no profile without its key', async () => {
  const path = process.env['PATH']!;
  process.env['PATH'] = '/nowhere';
  try {
    const profiles = new Profiles(join(folder, 'none/profiles.json'));
    const login = vedette(['login', URL, '--keyring'], () => json({ credits: { remained: 1 } }), { profiles, secret: 'vdt_secret' });
    await expect(login).rejects.toThrow('apt-get install libsecret-tools');
    expect(profiles.read().profiles).toEqual({});
  } finally {
    process.env['PATH'] = path;
  }
});

it.skipIf(!isThere)('keeps keys in GNOME Keyring', () => {
  const home = join(folder, 'home');
  mkdirSync(home);
  const program = `import { Profiles } from '@vedette/cli/profiles';
    const profiles = new Profiles('${home}/profiles.json');
    profiles.add('lab', { url: '${URL}', key: 'vdt_secret' }, true);
    const { key } = profiles.withKey('lab');
    profiles.remove('lab');
    profiles.write({ current: 'lab', profiles: { lab: { url: '${URL}', keyring: true } } });
    let gone = '';
    try { profiles.withKey('lab'); } catch (error) { gone = error.message; }
    console.log(JSON.stringify({ key, gone }));`;
  const session =
    'printf unlocked | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec "$0" --input-type=module -e "$1"';
  const env = { PATH: process.env['PATH']!, HOME: home, XDG_RUNTIME_DIR: home };
  const out = execFileSync('dbus-run-session', ['--', 'sh', '-c', session, process.execPath, program], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(JSON.parse(out)).toEqual({ key: 'vdt_secret', gone: expect.stringContaining('nothing was found') });
});
