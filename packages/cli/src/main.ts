#!/usr/bin/env node
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '@vedette/process/log';
import { createAdminClient } from './context/admin-client.ts';
import { readConfig } from './config.ts';
import { createProgram } from './program.ts';

/** The user, as the machine knows him: a number where he has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

try {
  const { env } = process;
  const { url, hasGatewayData, adminToken, database } = readConfig(env);
  const program = createProgram({
    admin: createAdminClient({ url, token: adminToken, operator: userName(), fetch }),
    doctor: { url, env, hasGatewayData, fetch, now: () => new Date() },
    database: { ...database, log: createLog('warn', { name: 'vedette' }, { sync: true }) },
    print: (text) => void process.stdout.write(`${text}\n`),
    progress: (text) => void process.stderr.write(`${text}\n`),
    today: () => new Date(),
    now: () => performance.now(),
    sleep: (ms) => sleep(ms),
    become: (main, args) => process.execve!(process.execPath, [process.execPath, ...process.execArgv, main, ...args]),
    fail: () => {
      process.exitCode = 1;
    },
  });
  await program.parseAsync();
} catch (err) {
  process.stderr.write(`vedette: ${(err as Error).message}\n`);
  process.exitCode = 1;
}
