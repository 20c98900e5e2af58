import { prepareBus } from '@vedette/bus';
import { Command } from 'commander';
import { integer, port } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { table } from '../table.ts';

interface PrepareFlags {
  location: string[];
  gateways: number;
  host: string;
  port: number;
  tlsCert?: string;
  tlsKey?: string;
}

const many = (value: string, before: string[] = []): string[] => [...before, value];

export function busCommand({ show }: CliContext): Command {
  const bus = new Command('bus').description('the message bus between gateways and agents');
  bus
    .command('prepare')
    .description('write a nats-server configuration with the permissions of every role, and the keys that go with it')
    .argument('<folder>', 'where to write; keys that are there stay valid')
    .requiredOption('--location <id>', 'a location with agents; once for each', many)
    .option('--gateways <n>', 'gateway processes', integer, 1)
    .option('--host <address>', 'address of the listener', '0.0.0.0')
    .option('--port <port>', 'its port', port, 4222)
    .option('--tls-cert <file>', 'certificate chain of the nats-server: use TLS off the machine')
    .option('--tls-key <file>', 'its key')
    .addHelpText(
      'after',
      '\nExample:\n  $ vedette bus prepare ./bus --location eu-fra --location us-ash\n  $ nats-server -c ./bus/nats-server.conf',
    )
    .action((folder: string, { location, gateways, host, port: listener, tlsCert, tlsKey }: PrepareFlags) => {
      if ((tlsCert === undefined) !== (tlsKey === undefined)) throw new Error('--tls-cert and --tls-key go together');
      const tls = tlsCert !== undefined && tlsKey !== undefined ? { tls: { certFile: tlsCert, keyFile: tlsKey } } : {};
      const { config, credentials } = prepareBus({ folder, host, port: listener, ...tls, gateways, locations: location });
      const files = [
        ['nats-server', config],
        ...credentials.gateways.map((path, i) => [`gateway ${i + 1}`, path]),
        ...[...credentials.agents].map(([id, path]) => [`agents at ${id}`, path]),
      ];
      show(Object.fromEntries(files), () => `${table(['for', 'file'], files)}\n\nGive each process its own file as VEDETTE_NATS_CREDS.`);
    });
  return bus;
}
