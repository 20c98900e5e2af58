/** A gateway's ledger, reduced to one hold: argv is the database and the account. Tells when it has it, and waits to be killed. */
import { openLedger } from './servers.ts';

const [url, id] = process.argv.slice(2) as [string, string];
const ledger = await openLedger(url);
const idempotency = { key: 'k', bodySha256: new Uint8Array(32) };
await ledger.reserve({ account: { id }, cost: 5, operation: 'ping-test', deadlineMs: 10_000, idempotency });
process.send!('held');
