import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '@vedette/process/log';
import { readConfig } from './config.ts';
import { createAdminClient } from './context/admin-client.ts';
import type { CliPorts } from './context/context.ts';

/** The user, as the machine knows him: a number where he has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

/** The ports of operators' commands in this process. Throws one `StartError` that names everything wrong with the environment. */
export function operatorPorts(env: NodeJS.ProcessEnv): CliPorts {
  const { url, hasGatewayData, adminToken, database } = readConfig(env);
  return {
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
  };
}
