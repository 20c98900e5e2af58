import type { Plan } from '@vedette/ledger';
import { Command } from 'commander';
import { integer, onOff } from '../context/arguments.ts';
import type { CliContext } from '../context/context.ts';
import { table } from '../context/table.ts';

const COLUMNS = ['id', 'credits', 'overage', 'overage limit', 'unmetered probe', 'port scan'];
const row = (plan: Plan) => [plan.id, plan.monthly_credits, plan.overage_allowed, plan.overage_limit, plan.unmetered_probe, plan.port_scan];

export function plansCommand({ admin, show }: CliContext): Command {
  const plans = new Command('plans');
  plans
    .command('list')
    .description('list all plans')
    .action(async () => {
      show(await admin.call<Plan[]>('GET', ['plans']), (all) => table(COLUMNS, all.map(row)));
    });
  plans
    .command('set')
    .description('create or replace a plan; its accounts follow at once')
    .argument('<id>', 'name of the plan: lower-case letters, digits, - and _')
    .requiredOption('--credits <number>', 'credits per month', integer)
    .option('--overage-limit <number>', 'allow accounts to exceed it by up to this many credits', integer)
    .option('--unmetered-probe <on|off>', 'make Prometheus scrapes through /probe free', onOff)
    .option('--port-scan <on|off>', 'allow port-scan, where VEDETTE_PORT_SCAN is on', onOff)
    .addHelpText(
      'after',
      '\nExamples:\n  $ vedette plans set basic --credits 10000\n  $ vedette plans set pro --credits 100000 --overage-limit 20000',
    )
    .action(async (id: string, options: { credits: number; overageLimit?: number; unmeteredProbe?: boolean; portScan?: boolean }) => {
      const plan = await admin.call<Plan>('PUT', ['plans', id], {
        body: {
          monthly_credits: options.credits,
          overage_allowed: (options.overageLimit ?? 0) > 0,
          overage_limit: options.overageLimit ?? 0,
          unmetered_probe: options.unmeteredProbe ?? false,
          port_scan: options.portScan ?? false,
        },
      });
      show(plan, (one) => table(COLUMNS, [row(one)]));
    });
  return plans;
}
