import { RootCommand } from '@bomb.sh/tab';
import type { Command } from 'commander';
import type { Desk } from '../measure/desk.ts';
import { rememberedLocations } from './known-locations.ts';
import { SCRIPTS } from './shell-scripts.ts';
import { printable } from '../show/printable.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

/** `vedette complete bash` prints a script for the shell, which then calls `vedette complete -- <words>` at each TAB. */
export async function complete(program: Command, words: readonly string[], desk: Desk): Promise<void> {
  const [shell = '', ...line] = words;
  const root = new RootCommand();
  if (shell !== '--') {
    if (!SHELLS.includes(shell)) throw new Error(`vedette complete takes one of ${SHELLS.join(', ')}`);
    const script = SCRIPTS[shell];
    if (script === undefined) root.setup('vedette', 'vedette', shell);
    else desk.out.write(script);
    return;
  }
  const locations = line.some((word) => word === '-F' || word.startsWith('--from')) ? await known(desk, line.at(-1)!) : [];
  add(root, program, '', locations);
  root.parse([...line]);
}

async function known(desk: Desk, word: string): Promise<[value: string, description: string][]> {
  const all = await rememberedLocations(desk.profile(undefined), desk.cacheDir, desk.fetch).catch(() => []);
  // A list is completed behind its last comma.
  const before = word.slice(0, word.lastIndexOf(',') + 1);
  // A shell gets names alone: nothing that it could expand.
  const safe = all.filter(({ id }) => /^[\w.-]+$/.test(id));
  return safe.map(({ id, city, country }) => [before + id, printable(`${city}, ${country}`)]);
}

/** Adds a command with its options, and all commands below it. */
function add(root: RootCommand, command: Command, path: string, locations: readonly [string, string][]): void {
  for (const child of command.commands) {
    for (const name of [child.name(), ...child.aliases()]) {
      const full = path === '' ? name : `${path} ${name}`;
      const told = root.command(full, child.summary() || child.description().split('\n')[0]!);
      for (const { long, short, description, argChoices, required, optional } of child.options) {
        if (!long) continue;
        const handler = (give: (value: string, description: string) => void): void => {
          if (long === '--from') for (const [id, city] of locations) give(id, city);
          for (const choice of argChoices ?? []) give(choice, '');
        };
        const [name, meaning, letter] = [long.slice(2), description.slice(0, 80), short?.slice(1)];
        // Without a handler it is a switch, with nothing behind it.
        if (required || optional) told.option(name, meaning, handler, letter);
        else told.option(name, meaning, letter);
      }
      add(root, child, full, locations);
    }
  }
}
