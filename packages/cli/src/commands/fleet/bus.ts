import { accessSync, constants, existsSync } from 'node:fs';
import { prepareBus, type PreparedBus, type PrepareOptions } from '@vedette/bus';
import { Command } from 'commander';
import { integer, many, port } from '../../context/arguments.ts';
import type { CliContext } from '../../context/context.ts';
import { table } from '../../context/table.ts';

interface PrepareFlags {
  location?: string[];
  gateways: number;
  renderers: number;
  host?: string;
  port?: number;
  tlsCert?: string;
  tlsKey?: string;
  /** False: --no-tls. */
  tls: boolean;
}

export function busCommand({ show }: CliContext): Command {
  const bus = new Command('bus');
  bus
    .command('prepare')
    .description('write a nats-server configuration with the permissions of every role, and the keys of the processes')
    .argument('<folder>', 'where to write; keys, locations, host, port and TLS prepared there stay')
    .option('--location <id>', 'a location with agents; repeat it for each new location', many)
    .option('--gateways <n>', 'gateway processes', integer, 1)
    .option('--renderers <n>', 'renderer processes, each with its own key', integer, 1)
    .option('--host <address>', 'address of the listener (initially 0.0.0.0)')
    .option('--port <port>', 'port of the listener (initially 4222)', port)
    .option('--tls-cert <file>', 'certificate chain of the nats-server: use TLS off the machine')
    .option('--tls-key <file>', 'its key')
    .option('--no-tls', 'turn TLS of the bus off')
    .addHelpText(
      'after',
      '\nExample:\n  $ vedette bus prepare ./bus --location eu-fra --location us-ash\n  $ nats-server -c ./bus/nats-server.conf',
    )
    .action((folder: string, { location = [], gateways, renderers, host, port: listener, ...tls }: PrepareFlags) => {
      if (location.length === 0 && !existsSync(folder)) throw new Error(`there is no ${folder} yet: name its first --location`);
      const prepared = prepareBus({
        folder,
        gateways,
        renderers,
        locations: location,
        ...(host !== undefined && { host }),
        ...(listener !== undefined && { port: listener }),
        ...tlsOf(tls),
      });
      const { config, credentials, listening, changes } = prepared;
      const files = [
        ['nats-server', config],
        ...credentials.gateways.map((path) => [path.replace(/^.*gateway-(.+)\.nkey$/, 'gateway $1'), path]),
        ...[...credentials.agents].map(([id, path]) => [`agents at ${id}`, path]),
        ...credentials.renderers.map((path) => [path.replace(/^.*renderer-(.+)\.nkey$/, 'renderer $1'), path]),
      ];
      show({ files: Object.fromEntries(files), listening, changes }, () => `${table(['for', 'file'], files)}\n\n${tidings(prepared)}`);
    });
  return bus;
}

function tlsOf({ tlsCert, tlsKey, tls }: Pick<PrepareFlags, 'tlsCert' | 'tlsKey' | 'tls'>): Pick<PrepareOptions, 'tls'> {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw new Error('--tls-cert and --tls-key go together');
  if (tlsCert === undefined || tlsKey === undefined) return tls ? {} : { tls: 'none' };
  if (!tls) throw new Error('--no-tls and --tls-cert do not go together');
  for (const [flag, path] of [
    ['--tls-cert', tlsCert],
    ['--tls-key', tlsKey],
  ] as const)
    assertReadable(flag, path);
  return { tls: { certFile: tlsCert, keyFile: tlsKey } };
}

/** A nats-server that cannot read its certificate does not start, long after the command that prepared it. */
function assertReadable(flag: string, path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    throw new Error(`${flag}: ${(cause as Error).message}`, { cause });
  }
}

/** Facts about the prepared bus, and the operator's next step. */
function tidings({ config, listening: { host, port: listener, tls }, changes, wantsRestart }: PreparedBus): string {
  const where = `The bus listens on ${host.includes(':') ? `[${host}]` : host}:${listener}, ${tls ? 'with TLS' : 'in plain text: no TLS'}.`;
  const next = 'Give each process its own file as VEDETTE_NATS_CREDS.';
  if (changes === undefined) return `${where}\n${next}`;
  if (changes.length === 0) return `${where} Nothing has changed.`;
  const takenOver = wantsRestart
    ? 'Restart a running nats-server: a reload does not change host or port.'
    : 'Reload a running nats-server: nats-server --signal reload=<its pid>.';
  const added = changes.flatMap((line) => /^\+ agent-(.+)$/.exec(line)?.[1] ?? []);
  const shown = added.length === 0 ? '' : `\nTo list them before their agents connect: vedette locations add ${added.join(' ')}`;
  return `Changed in ${config}:\n${changes.map((line) => `  ${line}`).join('\n')}\n\n${where} ${takenOver}\n${next}${shown}`;
}
