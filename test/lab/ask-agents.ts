/**
 * A gateway without any check: hands jobs to agents as they are. `node ask-agents.ts NATS_URL CREDENTIALS_FILE` reads a JSON
 * list of jobs and prints the replies in the same order.
 */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { createAsker, createPresence, openBus, publicKeyOf } from '@vedette/bus';
import { systemClock as clock } from '@vedette/probes/net';

export interface RawJob {
  kind: string;
  location: string;
  spec: Record<string, unknown>;
}

const [url, credentialsFile] = process.argv.slice(2) as [string, string];
const credentials = readFileSync(credentialsFile, 'utf8');
const gatewayId = publicKeyOf(credentials);
const jobs = JSON.parse(await text(process.stdin)) as RawJob[];
const bus = await openBus({ url, name: gatewayId, clock, credentials });
const presence = createPresence({ bus, clock });
const asker = createAsker({ bus, gatewayId, presence, clock });
const heard = () => jobs.every(({ location }) => presence.beating().includes(location));
for (let tries = 0; tries < 250 && !heard(); tries++) await clock.sleep(20);

const replies = [];
// One after the other: an agent may limit how often one target is measured.
for (const { kind, location, spec } of jobs) {
  replies.push(...(await asker.ask({ kind, spec, locations: [location], budgetMs: 5_000, minBudgetMs: 100, check: () => true })));
}
process.stdout.write(JSON.stringify(replies));
asker.close();
presence.close();
await bus.close();
