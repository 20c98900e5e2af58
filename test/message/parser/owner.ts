/** Starts two parsers, one of which is busy for ever, says so, and waits to be killed. */
import { fileURLToPath } from 'node:url';
import { ParserPool, startsHere } from '@vedette/message/parser';
import { systemClock } from '@vedette/probes/net';

const log = { debug() {}, info() {}, error() {}, warn() {} };
const main = fileURLToPath(new URL('./reader.ts', import.meta.url));
const pool = new ParserPool({ clock: systemClock, log, starter: startsHere(main, systemClock), required: false, onEnd() {} });
await pool.read('message', Buffer.from('count'));
void pool.read('message', Buffer.from('spin 60000'));
while (pool.usage.running < 2 || pool.usage.idle < 1) await systemClock.sleep(10);
process.stdout.write('busy\n');
setInterval(() => undefined, 60_000);
