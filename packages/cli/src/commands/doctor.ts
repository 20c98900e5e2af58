import { Command } from 'commander';
import type { CliContext } from '../context/context.ts';

const MARKS = { ok: 'ok  ', warning: 'warn', failed: 'FAIL' };

export function doctorCommand({ doctor, show, fail }: CliContext): Command {
  return new Command('doctor')
    .description('check what this machine can do: ICMP, DNS, bus, clock, IPv6, gateway; exits with 1 when something failed')
    .addHelpText(
      'after',
      '\nLooks at the settings that gateway and agent read: run it where they run, with their environment.\n\nExample:\n  $ VEDETTE_RESOLVERS=192.0.2.53 vedette doctor',
    )
    .action(async () => {
      // Only this command needs the engines that it looks at.
      const { runChecks } = await import('../doctor/checks.ts');
      const findings = await runChecks(doctor);
      show(findings, (all) => all.map(({ state, name, detail }) => `${MARKS[state]}  ${name.padEnd(8)}  ${detail}`).join('\n'));
      if (findings.some(({ state }) => state === 'failed')) fail();
    });
}
