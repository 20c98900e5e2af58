import { Command } from 'commander';
import type { CliContext } from '../../context/context.ts';
import { agentsCommand } from './agents.ts';
import { initCommand } from './init.ts';
import { addLocationCommand, removeCommand } from './location.ts';
import { tokenCommand, tokensCommand } from './tokens.ts';

export function fleetCommand(context: CliContext): Command {
  const fleet = new Command('fleet');
  for (const command of [initCommand, addLocationCommand, removeCommand, tokensCommand, tokenCommand, agentsCommand])
    fleet.addCommand(command(context));
  return fleet;
}
