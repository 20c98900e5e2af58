import { readFileSync } from 'node:fs';
import { catalogue, groups } from '@vedette/client/catalogue';
import { Command } from 'commander';
import type { CliContext, CliPorts } from './context/context.ts';
import { accountCommands } from './profile/account-commands.ts';
import type { Desk } from './measure/desk.ts';
import { mcpCommand } from './measure/mcp-command.ts';
import { operationCommand } from './measure/operation-command.ts';
import { usageCommand } from './profile/usage-command.ts';
import { OPERATORS } from './operators.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

const EXAMPLES = `
Examples of measurements, which call a gateway with an API key:
  $ vedette login https://api.example.org
  $ vedette ping example.org --from eu-fra,continent:AS
  $ vedette http https://example.org/ --json
  $ vedette spf example.org --fail-if 'size(issues_found) > 0'
  $ vedette screenshot https://example.org/ --out page.png
  $ vedette usage --days 7

Examples of operation:
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

The gateway of measurements: VEDETTE_URL and VEDETTE_API_KEY, else the profile of vedette login, else the
system of npm start in the working directory. Operators' commands call a gateway's operators' listener:
VEDETTE_OPS_HOST, VEDETTE_OPS_PORT (127.0.0.1:9464), with the admin token of VEDETTE_ADMIN_TOKEN or of the
data directory (VEDETTE_DATA_DIR, ./data).`;

/** The ports of a kind of command, which are opened when one of that kind is named. */
export interface ProgramPorts {
  operator: () => Promise<CliPorts>;
  desk: Desk;
}

/** The `vedette` command, for these words of a command line. Failures are thrown as Errors for `main` to print. */
export async function createProgram(words: readonly string[], { operator, desk }: ProgramPorts): Promise<Command> {
  const program = new Command('vedette')
    .description('Measures by a Vedette service, and manages one.')
    .version(version)
    .option('--json', 'print JSON, for scripts')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for the options and examples)')
    .exitOverride()
    .addHelpText('after', EXAMPLES);
  // Help has the groups in the order of the API description.
  const inGroups = catalogue.toSorted((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group));
  for (const operation of inGroups) program.addCommand(inherit(program, operationCommand(operation, desk)));
  for (const command of [...accountCommands(desk), usageCommand(desk), mcpCommand(desk)]) program.addCommand(inherit(program, command));
  const completes = words[0] === 'complete';
  for (const [name, [description, load]] of Object.entries(OPERATORS)) {
    const isNamed = completes || words.includes(name);
    const command = isNamed ? (await load())(contextOf(program, await operator())) : new Command(name);
    program.addCommand(inherit(program, command.description(description).helpGroup('Operators:')));
  }
  program
    .command('complete')
    .helpGroup('This command:')
    .description('print what completes commands in a shell: source <(vedette complete bash), zsh or fish')
    .argument('<shell>', 'bash, zsh or fish')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const { complete } = await import('./profile/completion.ts');
      await complete(program, words.slice(1), desk);
    });
  return program;
}

function contextOf(program: Command, ports: CliPorts): CliContext {
  return {
    ...ports,
    version,
    show(result, human) {
      ports.print(program.opts<{ json?: boolean }>().json ? JSON.stringify(result, null, 2) : human(result));
    },
  };
}

/** Commands that are made before they are added know nothing of the program's settings, nor do theirs. */
function inherit(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(command, child);
  return command;
}
