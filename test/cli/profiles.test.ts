import { join } from 'node:path';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { chosenProfile, Profiles, profilesFile } from '@vedette/cli/profiles';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'vedette-profiles-'));
afterAll(() => rmSync(folder, { recursive: true }));
const WORK = { url: 'https://work.example.org', key: 'work' };
const HOME = { url: 'https://home.example.org', key: 'home' };
const profiles = new Profiles(join(folder, 'profiles.json'));
profiles.write({ current: 'work', profiles: { work: WORK, home: HOME } });
const none = new Profiles(join(folder, 'none.json'));
const choose = (named: string | undefined, env: Record<string, string>, kept = profiles, local?: string) =>
  chosenProfile({ named, env, profiles: kept, localKey: () => local });

it.each([
  ['the profile in use', undefined, {}, WORK],
  ['another profile by name', 'home', {}, HOME],
  [
    'the environment before the profile in use',
    undefined,
    { VEDETTE_URL: 'https://ci.example.org', VEDETTE_API_KEY: 'ci' },
    { url: 'https://ci.example.org', key: 'ci' },
  ],
  ['a name before the environment', 'home', { VEDETTE_URL: 'https://ci.example.org', VEDETTE_API_KEY: 'ci' }, HOME],
  ['this machine for a key alone', undefined, { VEDETTE_API_KEY: 'ci' }, { url: 'http://127.0.0.1:8080', key: 'ci' }],
])('asks %s', (_what, named, env, profile) => {
  expect(choose(named, env)).toEqual(profile);
});

it('asks the system of this machine where nothing else is said', () => {
  expect(choose(undefined, {}, none, 'local')).toEqual({ url: 'http://127.0.0.1:8080', key: 'local' });
  expect(() => choose(undefined, {}, none)).toThrow('vedette login');
});

it.each([
  [{ VEDETTE_PORT: '9000' }, 'http://127.0.0.1:9000'],
  [{ VEDETTE_HOST: '::', VEDETTE_TLS_CERT_FILE: '/a.pem' }, 'https://[::1]:8080'],
  [{ VEDETTE_HOST: '192.0.2.1' }, 'http://192.0.2.1:8080'],
])('asks it where its settings %o put it', (env, url) => {
  expect(choose(undefined, env as Record<string, string>, none, 'local')).toEqual({ url, key: 'local' });
});

it('never sends the key of a profile to an address of the environment', () => {
  expect(() => choose(undefined, { VEDETTE_URL: 'https://ci.example.org' })).toThrow('VEDETTE_API_KEY');
});

it('knows only profiles that were kept', () => {
  expect(() => choose('toString', {})).toThrow('there is no profile toString');
});

it.each([
  ['{\n  "current": "work",\n}', 'is not JSON (line 3 column 1)'],
  ['{"current": "work", "profiles": {"work": {"url": "https://a.example", "key": vdt_secret}}}', 'is not JSON'],
  ['', 'is not JSON'],
  ['null', 'does not have the form'],
  ['[]', 'does not have the form'],
  ['{}', 'does not have the form'],
  ['{"current": "", "profiles": []}', 'does not have the form'],
  ['{"current": "a", "profiles": {"a": {"url": "https://a.example"}}}', 'does not have the form'],
  ['{"current": "a", "profiles": {"a": {"url": 3, "key": "vdt_secret"}}}', 'does not have the form'],
])('names the file where it is broken (%j), and tells nothing that stands in it', (text, fault) => {
  const file = join(folder, 'broken.json');
  writeFileSync(file, text, { mode: 0o600 });
  const told = (() => {
    try {
      return JSON.stringify(choose(undefined, {}, new Profiles(file)));
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(told).toContain(`${file} ${fault}`);
  expect(told).toMatch(/: mend it, or remove it and run vedette login <url> for each gateway$/);
  expect(told).not.toContain('vdt_');
});

it('is where the desktop standard has it', () => {
  expect(profilesFile({}, '/home/a')).toBe('/home/a/.config/vedette/profiles.json');
  expect(profilesFile({ XDG_CONFIG_HOME: '/etc/a' }, '/home/a')).toBe('/etc/a/vedette/profiles.json');
});
