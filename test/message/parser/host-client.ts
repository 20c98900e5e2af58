/** Has the host in a folder start two parsers, one of which is busy for ever, says so, and waits to be killed. */
import { ParserPool, startsAt } from '@vedette/message/parser';
import { systemClock } from '@vedette/probes/net';

const [, , folder = ''] = process.argv;
const log = { debug() {}, info() {}, error() {}, warn() {} };
const pool = new ParserPool({ clock: systemClock, log, starter: startsAt(folder, systemClock), required: false, onEnd() {} });
await pool.read('message', Buffer.from('count'));
void pool.read('message', Buffer.from('spin 60000'));
while (pool.usage.running < 2 || pool.usage.idle < 1) await systemClock.sleep(10);
process.stdout.write('busy\n');
setInterval(() => undefined, 60_000);
