import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { freePort } from '../../free-ports.ts';
import { NO_ENGINES, NO_FEEDS, withUs } from '../one-machine.ts';
import { takeOver } from '../prepared.ts';

const MAIN = fileURLToPath(new URL('../../../packages/gateway/src/main.ts', import.meta.url));
const LAST_LINES = 20;

export interface GatewayProcess {
  url: string;
  /** Where /readyz is. */
  opsUrl: string;
  /** The last lines of its log. */
  lines: readonly string[];
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGTERM, and whatever it finishes before it ends. */
  stop(): Promise<void>;
}

/** `npm run gateway` without npm, on free ports, and of another checkout where `main` names its program; resolves once it listens. */
export async function spawnGateway(env: Record<string, string>, main = MAIN): Promise<GatewayProcess> {
  if (env['VEDETTE_DATA_DIR'] !== undefined) takeOver(env['VEDETTE_DATA_DIR'], ['networks']);
  const opsPort = String(await freePort());
  const child = spawn(...withUs(main), {
    env: {
      ...process.env,
      VEDETTE_WITNESSES: '',
      VEDETTE_FEEDS_FILE: NO_FEEDS,
      VEDETTE_ENGINES_FILE: NO_ENGINES,
      VEDETTE_PORT: '0',
      VEDETTE_OPS_PORT: opsPort,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      if (lines.length > LAST_LINES) lines.shift();
      if (line.includes('"msg":"listening"')) resolve((JSON.parse(line) as { address: { port: number } }).address.port);
    });
    void ended.then(() => reject(new Error(`the gateway ended before it listened:\n${lines.join('\n')}`)));
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const at = (number: number | string): string => `http://127.0.0.1:${number}`;
  return { url: at(port), opsUrl: at(opsPort), lines, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') };
}
