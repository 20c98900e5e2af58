import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { agentCommand } from './commands/fleet/agent.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand, restoreCommand } from './commands/backup.ts';
import { busCommand } from './commands/fleet/bus.ts';
import { denyCommand } from './commands/deny.ts';
import { doctorCommand } from './commands/doctor.ts';
import { enginesCommand } from './commands/engines.ts';
import { fleetCommand } from './commands/fleet/fleet.ts';
import { feedsCommand } from './commands/feeds.ts';
import { keysCommand } from './commands/keys.ts';
import { locationsCommand } from './commands/fleet/locations.ts';
import { lockoutsCommand } from './commands/lockouts.ts';
import { pdnsCommand } from './commands/pdns.ts';
import { plansCommand } from './commands/plans.ts';
import type { CliContext, CliPorts } from './context/context.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

const EXAMPLES = `
Examples:
  $ vedette plans set basic --credits 10000
  $ vedette accounts create --name "Example Inc." --plan basic
  $ vedette keys create --account acct_0123456789ab --name website
  $ vedette lockouts list
  $ vedette audit --target 192.0.2.7
  $ vedette locations list
  $ vedette feeds list
  $ vedette pdns import ./passive-dns.json.gz
  $ vedette engines list
  $ vedette bus prepare ./bus --location eu-fra --location us-ash
  $ vedette backup vedette.sql.gz
  $ vedette fleet init ./fleet --hub nats-1.example.org --hub nats-2.example.org --hub nats-3.example.org
  $ vedette fleet add-location us-ash
  $ vedette fleet add-location eu-fra --dir ./fleet --region eu --leaf nats-eu.example.org
  $ vedette fleet agents
  $ vedette agent join -
  $ vedette doctor

Calls the gateway's operators' listener: VEDETTE_OPS_HOST, VEDETTE_OPS_PORT (127.0.0.1:9464), with the
admin token of VEDETTE_ADMIN_TOKEN or of the data directory (VEDETTE_DATA_DIR, ./data).`;

const COMMANDS = [
  plansCommand,
  accountsCommand,
  keysCommand,
  lockoutsCommand,
  denyCommand,
  locationsCommand,
  feedsCommand,
  pdnsCommand,
  enginesCommand,
  auditCommand,
  busCommand,
  fleetCommand,
  agentCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
];

/** The `vedette` command. Failures are thrown as Errors for `main` to print. */
export function createProgram(ports: CliPorts): Command {
  const program = new Command('vedette')
    .description(
      'Manages a Vedette service: accounts, API keys, blocked addresses, denied targets, locations, feeds, passive DNS, engines, audit logs, the bus, backups, and checks.',
    )
    .version(version)
    .option('--json', 'print JSON, for scripts')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for the options and examples)')
    .addHelpText('after', EXAMPLES);
  const context: CliContext = {
    ...ports,
    version,
    show(result, human) {
      ports.print(program.opts<{ json?: boolean }>().json ? JSON.stringify(result, null, 2) : human(result));
    },
  };
  for (const command of COMMANDS) program.addCommand(inherit(program, command(context)));
  return program;
}

/** Commands that are made before they are added know nothing of the program's settings, nor do theirs. */
function inherit(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(command, child);
  return command;
}
