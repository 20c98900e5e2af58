#!/usr/bin/env node
import { createAdminClient } from './admin-client.ts';
import { readConfig } from './config.ts';
import { createProgram } from './program.ts';

try {
  const { env } = process;
  const { url, adminToken } = readConfig(env);
  const program = createProgram({
    admin: createAdminClient({ url, token: adminToken, fetch }),
    doctor: { url, env, fetch, now: () => new Date() },
    print: (text) => void process.stdout.write(`${text}\n`),
    fail: () => {
      process.exitCode = 1;
    },
  });
  await program.parseAsync();
} catch (err) {
  process.stderr.write(`vedette: ${(err as Error).message}\n`);
  process.exitCode = 1;
}
