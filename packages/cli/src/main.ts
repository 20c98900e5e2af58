#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAdminClient } from './admin-client.ts';
import { createProgram } from './program.ts';

const { env } = process;
const host = env['VEDETTE_OPS_HOST'] ?? '127.0.0.1';
const url = `http://${host.includes(':') ? `[${host}]` : host}:${env['VEDETTE_OPS_PORT'] ?? '9464'}`;

async function adminToken(): Promise<string> {
  const file = join(env['VEDETTE_DATA_DIR'] ?? './data', 'admin-token');
  const token = env['VEDETTE_ADMIN_TOKEN'] ?? (await readFile(file, 'utf8').catch(() => undefined));
  if (token === undefined)
    throw new Error(
      `no admin token: set VEDETTE_ADMIN_TOKEN, or VEDETTE_DATA_DIR to the gateway's data directory (${file} cannot be read)`,
    );
  return token.trim();
}

const program = createProgram({
  admin: createAdminClient({ url, token: adminToken, fetch }),
  doctor: { url, env, fetch, now: () => new Date() },
  print: (text) => void process.stdout.write(`${text}\n`),
  fail: () => {
    process.exitCode = 1;
  },
});
try {
  await program.parseAsync();
} catch (err) {
  process.stderr.write(`vedette: ${(err as Error).message}\n`);
  process.exitCode = 1;
}
