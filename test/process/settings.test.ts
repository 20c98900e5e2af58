import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDatabaseUrl, readSettings, Setting, SettingsReader } from '@vedette/process/settings';
import { StartError } from '@vedette/process/start-error';
import { Client } from 'pg';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const Settings = Type.Object({
  VEDETTE_PORT: Setting.port('Port', '8080'),
  VEDETTE_CACHE: Setting.onOff('Cache', 'on'),
  VEDETTE_NAME: Setting.text('Name'),
  VEDETTE_NOTE: Type.Optional(Setting.text('Note')),
});

it('fills in defaults, takes empty for unset, and leaves out what it does not know', () => {
  const settings = readSettings(Settings, { VEDETTE_PORT: '', VEDETTE_NAME: 'a', VEDETTE_NOTE: '', PATH: '/bin' });
  expect(settings).toEqual({ VEDETTE_PORT: '8080', VEDETTE_CACHE: 'on', VEDETTE_NAME: 'a' });
  expect(Object.isFrozen(settings)).toBe(true);
});

it.each(['0', '80', '65535'])('takes %s for a port', (port) => {
  expect(readSettings(Settings, { VEDETTE_NAME: 'a', VEDETTE_PORT: port }).VEDETTE_PORT).toBe(port);
});

it.each(['65536', '080', '-1', ' 80', 'http'])('takes %j for no port', (port) => {
  expect(() => readSettings(Settings, { VEDETTE_NAME: 'a', VEDETTE_PORT: port })).toThrow(
    new StartError('VEDETTE_PORT must be a port, 0 to 65535'),
  );
});

it('names all that is wrong, with lists and files', () => {
  const reader = new SettingsReader({ VEDETTE_CACHE: 'yes', VEDETTE_LIST: '', VEDETTE_FILE: '/nowhere' });
  expect(reader.value('VEDETTE_LIST', () => ['parsed'])).toBeUndefined();
  expect(reader.file('VEDETTE_FILE', String)).toBeUndefined();
  reader.problem('and this');
  expect(() => reader.finish(Settings)).toThrow(
    new StartError(
      [
        'VEDETTE_NAME must be set',
        'VEDETTE_CACHE must be on or off',
        "VEDETTE_FILE: ENOENT: no such file or directory, open '/nowhere'",
        'and this',
      ].join('\n'),
    ),
  );
});

describe('the password of the database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-settings-'));
  const file = join(folder, 'password');
  beforeAll(() => writeFileSync(file, 'a&b/ç\n'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (url: string | undefined, path?: string) => {
    const reader = new SettingsReader({ VEDETTE_DATABASE_URL: url, VEDETTE_DATABASE_PASSWORD_FILE: path });
    const whole = readDatabaseUrl(reader);
    reader.finish(Type.Object({}));
    return whole === undefined ? undefined : new Client(whole);
  };

  it.each([
    ['postgresql://vedette@db.example.org/vedette', { host: 'db.example.org', user: 'vedette', database: 'vedette' }],
    ['postgresql:///vedette?host=/run/postgresql&user=vedette', { host: '/run/postgresql', user: 'vedette', database: 'vedette' }],
  ])('of %s may come from a file, as the client of PostgreSQL reads it', (url, parts) => {
    expect(read(url, file)).toMatchObject({ ...parts, password: 'a&b/ç' });
  });

  it('is otherwise in the URL, or nowhere', () => {
    expect(read('postgresql://vedette:secret@db.example.org/vedette')).toMatchObject({ password: 'secret' });
    expect(read(undefined)).toBeUndefined();
  });

  it.each([
    undefined,
    'nonsense',
    'postgresql://vedette:secret@db.example.org/vedette',
    'postgresql://db.example.org/vedette?password=secret',
  ])('cannot be added to %s', (url) => {
    expect(() => read(url, file)).toThrow('VEDETTE_DATABASE_PASSWORD_FILE wants a VEDETTE_DATABASE_URL without a password');
  });
});
