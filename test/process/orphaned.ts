// Adopts orphans: prints the pid of one and of its parent, then whether it is gone, then the exit status of a child of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '@vedette/process/child';
import { adoptOrphans, processState } from '@vedette/process/orphans';

const orphans = await adoptOrphans();
const lines: string[] = [];
const ofOwn = startChild({
  command: '/bin/sh',
  args: ['-c', 'sleep 0.5 & echo $! >&2; exit 7'],
  endSignal: 'SIGTERM',
  onLine: (line) => lines.push(line),
});
const { code } = await ofOwn.gone;
while (lines.length === 0) await sleep(10);
const orphan = Number(lines[0]);
process.stdout.write(`${processState(orphan)?.parent === process.pid ? 'adopted' : 'lost'}, ${code}\n`);
for (let tries = 0; processState(orphan) !== undefined && tries < 500; tries++) await sleep(20);
process.stdout.write(processState(orphan) === undefined ? 'collected\n' : 'a zombie\n');
orphans[Symbol.dispose]();
process.exit();
