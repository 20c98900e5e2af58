import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keyring } from './keyring.ts';

/** A gateway, and the key that is sent to it. */
export interface Profile {
  url: string;
  key: string;
}

/** Profile as it stands in the file: with its key, or with the word that the keyring has it. */
type KeptProfile = Profile | { url: string; keyring: true };

interface Kept {
  current: string;
  profiles: Record<string, KeptProfile>;
}

/** Returns the value of a text of JSON, or the error of the parser. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const isKept = (value: unknown): value is Kept =>
  isObject(value) &&
  typeof value['current'] === 'string' &&
  isObject(value['profiles']) &&
  Object.values(value['profiles']).every(
    (one) => isObject(one) && typeof one['url'] === 'string' && (typeof one['key'] === 'string' || one['keyring'] === true),
  );

/** The place of the file of profiles: `$XDG_CONFIG_HOME/vedette/profiles.json`. */
export const profilesFile = (env: Readonly<Record<string, string | undefined>>, home: string): string =>
  join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'vedette', 'profiles.json');

/** The profiles of a user, in a file that no other user can read. */
export class Profiles {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Throws an Error if others than the user may read the file, or if it is broken. */
  read(): Kept {
    let text: string;
    try {
      const { mode } = statSync(this.#file);
      if ((mode & 0o077) !== 0) throw new Error(`others may read ${this.#file}: run chmod 600 ${this.#file}, and change the keys in it`);
      text = readFileSync(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: '', profiles: {} };
      throw error;
    }
    const kept = parsed(text);
    if (!isKept(kept)) {
      // The sentence of JSON.parse quotes the text around the fault, which may be a key.
      const line = kept instanceof SyntaxError ? (/\(line \d+ column \d+\)/.exec(kept.message)?.[0] ?? '') : '';
      const fault = kept instanceof SyntaxError ? `is not JSON${line && ` ${line}`}` : 'does not have the form that vedette writes';
      throw new Error(`${this.#file} ${fault}: mend it, or remove it and run vedette login <url> for each gateway`);
    }
    return { current: kept.current, profiles: { ...kept.profiles } };
  }

  /** A profile with its key. Undefined if there is none of this name. */
  withKey(name: string): Profile | undefined {
    const { profiles } = this.read();
    if (!Object.hasOwn(profiles, name)) return undefined;
    const kept = profiles[name]!;
    return 'key' in kept ? kept : { url: kept.url, key: keyring.read(name, kept.url) };
  }

  /** Keeps a profile as the one in use. */
  add(name: string, { url, key }: Profile, inKeyring: boolean): void {
    const { profiles } = this.read();
    const before = Object.hasOwn(profiles, name) ? profiles[name]! : undefined;
    if (inKeyring) keyring.store(name, url, key);
    this.write({ current: name, profiles: { ...profiles, [name]: inKeyring ? { url, keyring: true } : { url, key } } });
    // The key of before would stay in the keyring for good.
    if (before && 'keyring' in before && !(inKeyring && before.url === url)) keyring.remove(name, before.url);
  }

  /** Forgets a profile and its key. */
  remove(name: string): void {
    const { current, profiles } = this.read();
    const { [name]: removed, ...rest } = profiles;
    if (removed && 'keyring' in removed) keyring.remove(name, removed.url);
    this.write({ current: current === name ? '' : current, profiles: rest });
  }

  write(kept: Kept): void {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const next = `${this.#file}.${process.pid}`;
    try {
      // A new file, whose mode is ours from the beginning.
      writeFileSync(next, `${JSON.stringify(kept, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
      chmodSync(next, 0o600);
      renameSync(next, this.#file);
    } finally {
      rmSync(next, { force: true });
    }
  }
}

/** The sources of a gateway and its key. */
interface Choice {
  /** `--profile`. */
  named: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  profiles: Profiles;
  /** The key of a system on this machine, where its data directory can be read. */
  localKey: () => string | undefined;
}

/** The gateway of this machine, where its settings put it: another port may be another service's. */
function localUrl({ VEDETTE_HOST, VEDETTE_PORT, VEDETTE_TLS_CERT_FILE }: Choice['env']): string {
  const all: Readonly<Record<string, string | undefined>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const host = all[VEDETTE_HOST || '127.0.0.1'] ?? (VEDETTE_HOST || '127.0.0.1');
  return `${VEDETTE_TLS_CERT_FILE ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${VEDETTE_PORT || '8080'}`;
}

/** Throws an Error if this cannot be the address of a gateway. */
export function assertAddress(url: string): void {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Error(`${url} is not the address of a gateway, such as https://api.example.org`);
}

/** The gateway to ask: `--profile`, else the environment, else the profile in use, else the system on this machine. A key is sent to its own gateway alone. */
export function chosenProfile({ named, env, profiles, localKey }: Choice): Profile {
  const { VEDETTE_URL: url, VEDETTE_API_KEY: key } = env;
  if (named === undefined && (url || key)) {
    if (!key) throw new Error('VEDETTE_URL is set without VEDETTE_API_KEY: set both, or neither');
    if (url) assertAddress(url);
    return { url: url || localUrl(env), key };
  }
  const kept = profiles.withKey(named ?? profiles.read().current);
  if (kept !== undefined) return kept;
  if (named !== undefined) throw new Error(`there is no profile ${named}: vedette login <url> --profile ${named} makes it`);
  const local = localKey();
  if (local !== undefined) return { url: localUrl(env), key: local };
  throw new Error('no API key: run vedette login <url>, or set VEDETTE_URL and VEDETTE_API_KEY');
}
