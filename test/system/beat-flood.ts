// Beats with an agent's key, as a process of its own: node beat-flood.ts <url> <file with the key> <file with the roots> <location> <agent> <bytes> <seconds>
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, nkeyAuthenticator } from 'nats';

/** As fast as the one that took every request from 6 to 861 ms. */
const PER_SECOND = 130_000;
const TURN_MS = 10;

const [url = '', file = '', caFile = '', location = '', agent = '', bytes = '', seconds = ''] = process.argv.slice(2);
const authenticator = nkeyAuthenticator(new TextEncoder().encode(readFileSync(file, 'utf8').trim()));
const connection = await connect({ servers: url, authenticator, tls: { caFile }, reconnect: false });
const payload = 'x'.repeat(Number(bytes));
const start = performance.now();
let sent = 0;
for (let elapsed = 0; elapsed < Number(seconds) * 1000; elapsed = performance.now() - start) {
  for (const due = (elapsed / 1000) * PER_SECOND; sent < due && performance.now() - start - elapsed < 50; sent += 1) {
    // A name for each beat, where none is given.
    connection.publish(`vedette.v1.beat.${location}.${agent === '' ? `made-up-${sent}` : agent}`, payload);
  }
  await sleep(TURN_MS);
}
await connection.flush();
await connection.close();
