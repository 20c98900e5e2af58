import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openDesk } from '@vedette/cli/desk';
import { Profiles } from '@vedette/cli/profiles';
import { createProgram } from '@vedette/cli/program';
import { scratchFolder } from '../scratch.ts';

/** A folder for the files of tests. Test files share a worker, and so this module. */
export const folder = scratchFolder('cli');
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

interface Asked {
  url: string;
  key: string | null;
  body: unknown;
}
export type Answer = (url: string, body: unknown, headers: Headers) => Response;
export const json = (body: object, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

const PROFILE = { url: 'https://api.example.org', key: 'vdt_test' };
let files = 0;

/** A command against a gateway that answers so: what it printed, what it told on stderr, its exit code, and what the gateway was asked. */
export async function vedette(
  words: string[],
  answer: Answer = () => json({}),
  options: { profiles?: Profiles; secret?: string; input?: string; columns?: number } = {},
) {
  const asked: Asked[] = [];
  let [out, told, code] = ['', '', 0];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input as string;
    const body = init?.body === undefined ? undefined : (JSON.parse(init.body as string) as unknown);
    const headers = new Headers(init?.headers);
    asked.push({ url, key: headers.get('x-api-key'), body });
    return answer(url, body, headers);
  };
  const program = await createProgram(words, {
    operator: () => Promise.reject(new Error('no operator here')),
    desk: {
      ...openDesk(),
      env: {},
      fetch,
      profile: () => PROFILE,
      profiles: options.profiles ?? new Profiles(join(folder, `${files++}.json`)),
      secret: async () => options.secret ?? '',
      out: { write: (text) => (out += text), ...(options.columns !== undefined && { columns: options.columns }) },
      err: { write: (text) => (told += text) },
      progress: (text) => void (told += `${text}\n`),
      input: Readable.from([options.input ?? '']),
      exit: (status) => void (code = status),
      interrupted: () => new AbortController().signal,
      sleep: async () => undefined,
      cacheDir: folder,
    },
  });
  const silence = (command: typeof program): void => {
    command.configureOutput({ writeErr: (text) => void (told += text), writeOut: (text) => void (out += text) });
    command.commands.forEach((child) => silence(child));
  };
  silence(program);
  await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => {
    const { name, exitCode } = error as { name: string; exitCode: number };
    if (name !== 'CommanderError') throw error;
    code = exitCode === 0 ? 0 : 2;
  });
  return { out, told, code, asked };
}
