import { Command } from 'commander';
import type { Desk } from '../measure/desk.ts';
import { assertAddress } from './profiles.ts';
import { printable, printableJson } from '../show/printable.ts';
import { fittingLines, tableLines } from '../show/report.ts';

const GROUP = 'This command:';

/** `login`, `profile` and `places`: which gateway is asked, by which key, and where it measures. */
export function accountCommands(desk: Desk): Command[] {
  return [loginCommand(desk), profileCommand(desk), locationsCommand(desk)];
}

function loginCommand({ profiles, secret, fetch, interrupted, out, progress }: Desk): Command {
  return new Command('login')
    .helpGroup(GROUP)
    .description('keep the address of a gateway and an API key, in a file that no other user can read')
    .argument('[url]', 'address of the gateway', 'http://127.0.0.1:8080')
    .option('--profile <name>', 'name to keep them under', 'default')
    .option('--keyring', "keep the key in the system's keyring instead")
    .action(async (url: string, { profile: name, keyring = false }: { profile: string; keyring?: boolean }) => {
      assertAddress(url);
      profiles.read(); // before the key is typed: a broken file cannot take it
      const { protocol, hostname, origin } = new URL(url);
      if (protocol !== 'https:' && !/^(127\.|localhost$|\[::1\]$)/.test(hostname))
        progress(`${origin}: without https the key crosses the network in the clear`);
      const key = (await secret('API key: ')).trim();
      const { createClient } = await import('@vedette/client');
      const { credits } = await createClient({ url, key, fetch }).accountInfo(undefined, { signal: interrupted() });
      profiles.add(name, { url, key }, keyring);
      out.write(`${printable(`${name}: ${url}, ${credits.remained} credits left`)}\n`);
    });
}

function profileCommand({ profiles, out }: Desk): Command {
  const profile = new Command('profile').helpGroup(GROUP).description('gateways and keys that `vedette login` has kept');
  const known = (name: string): ReturnType<typeof profiles.read> => {
    const kept = profiles.read();
    if (!Object.hasOwn(kept.profiles, name)) throw new Error(`there is no profile ${name}; see vedette profile list`);
    return kept;
  };
  profile
    .command('list')
    .description('list them, without keys')
    .action(() => {
      const { current, profiles: all } = profiles.read();
      const rows = Object.entries(all).map(([name, { url }]) => [name === current ? '*' : '', printable(name), printable(url)]);
      for (const line of tableLines(['in use', 'name', 'gateway'], rows, [], Infinity)) out.write(`${line}\n`);
    });
  profile
    .command('use')
    .description('ask this one from now on')
    .argument('<name>')
    .action((name: string) => profiles.write({ ...known(name), current: name }));
  profile
    .command('remove')
    .description('forget it and its key')
    .argument('<name>')
    .action((name: string) => {
      known(name);
      profiles.remove(name);
    });
  return profile;
}

function locationsCommand(desk: Desk): Command {
  const command = new Command('places').helpGroup(GROUP).description('list the locations that measure, for --from');
  return command.option('--profile <name>', 'profile of `vedette login`').action(async ({ profile }: { profile?: string }) => {
    const { locationsOf } = await import('./known-locations.ts');
    const locations = await locationsOf(desk.profile(profile), desk.fetch, desk.interrupted());
    if (command.optsWithGlobals<{ json?: boolean }>().json) {
      desk.out.write(`${printableJson(locations)}\n`);
      return;
    }
    const rows = locations.map(({ id, city, country, continent, state }) => [id, city, country, continent, state].map(printable));
    for (const line of fittingLines(['location', 'city', 'country', 'continent', 'state'], rows, [], desk.out.columns ?? Infinity))
      desk.out.write(`${line}\n`);
  });
}
