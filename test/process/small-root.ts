// Starts a child as another user, as root that was left less than all: node small-root.ts <capability>. Prints what the child says.
import { canLeave, type Capability } from '@vedette/process/capabilities';
import { startChild } from '@vedette/process/child';

const [asked] = process.argv.slice(2) as Capability[];
const child = startChild({
  command: '/bin/sh',
  args: ['-c', '{ id -u; grep -E "^(CapEff|NoNewPrivs)" /proc/self/status; } | tr "\\n\\t" "  " >&2'],
  endSignal: 'SIGTERM',
  rights: { user: { uid: 2_100_000_001, gid: 2_100_000_002 }, capabilities: [asked!].filter(canLeave) },
  onLine: (line) => process.stdout.write(`${line.trim()}\n`),
});
process.exitCode = (await child.gone).code ?? 1;
