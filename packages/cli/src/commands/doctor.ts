import { Command } from 'commander';
import type { CliContext } from '../context/context.ts';

const MARKS = { ok: 'ok  ', warning: 'warn', failed: 'FAIL' };

export function doctorCommand({ doctor, show, fail }: CliContext): Command {
  return new Command('doctor')
    .addHelpText(
      'after',
      '\nReads the settings of gateway and agent: run it on their machine, with their environment.\n\nExample:\n  $ VEDETTE_RESOLVERS=192.0.2.53 vedette doctor',
    )
    .action(async () => {
      // Only this command needs the engines that it looks at.
      const { runChecks } = await import('../doctor/checks.ts');
      const findings = await runChecks(doctor);
      show(findings, (all) => all.map(({ state, name, detail }) => `${MARKS[state]}  ${name.padEnd(8)}  ${detail}`).join('\n'));
      if (findings.some(({ state }) => state === 'failed')) fail();
    });
}
