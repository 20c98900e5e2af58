/** Starts the embedded PostgreSQL in the data directory that is its argument, prints the connection string, and waits to be killed. */
import { startEmbeddedPostgres } from '@vedette/ledger';
import { silent } from './servers.ts';

const server = await startEmbeddedPostgres({ dataDir: process.argv[2]!, log: silent });
process.stdout.write(`${server.url}\n`);
setInterval(() => undefined, 60_000);
