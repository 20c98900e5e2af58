import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Desk } from './desk.ts';
import { chosenProfile, Profiles, profilesFile } from '../profile/profiles.ts';

/** Exit code after Ctrl-C. */
const INTERRUPTED = 130;

/** The parts of measuring commands in this process. */
export function openDesk(): Desk {
  const { env, stdout, stderr } = process;
  const home = homedir();
  const profiles = new Profiles(profilesFile(env, home));
  return {
    env,
    // Opened when it is read.
    get input() {
      return process.stdin;
    },
    out: stdout,
    err: stderr,
    progress: (text) => void stderr.write(`${text}\n`),
    profiles,
    profile: (named) => chosenProfile({ named, env, profiles, localKey: () => keyOfThisMachine(env) }),
    fetch,
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    interrupted() {
      const controller = new AbortController();
      // The second time it ends the process as usual.
      process.once('SIGINT', () => controller.abort());
      return controller.signal;
    },
    secret,
    exit: (code) => {
      process.exitCode = code;
    },
    cacheDir: join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'vedette'),
  };
}

/** The key of the system that `npm start` runs here, in its data directory. */
function keyOfThisMachine(env: NodeJS.ProcessEnv): string | undefined {
  if (env['VEDETTE_BOOTSTRAP_KEY']) return env['VEDETTE_BOOTSTRAP_KEY'];
  try {
    return readFileSync(join(env['VEDETTE_DATA_DIR'] || 'data', 'bootstrap-key'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

async function secret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      // Ctrl-C at the question, which the terminal hands on as a letter.
      lines.once('SIGINT', () => process.exit(INTERRUPTED));
      lines.once('close', () => reject(new Error('no key was given')));
    });
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}
