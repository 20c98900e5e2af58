// Starts a child that sleeps, prints its pid, and waits to be killed: node owner.ts <TERM or INT>
import { startChild } from '@vedette/process/child';

const child = startChild({ command: 'sleep', args: ['600'], endSignal: process.argv[2] === 'INT' ? 'SIGINT' : 'SIGTERM' });
process.stdout.write(`${child.process.pid} ${child.endsWithUs}\n`);
setInterval(() => undefined, 60_000);
