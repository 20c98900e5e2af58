// What stands on a machine of a fleet, for a test that has machines as network namespaces: node fleet-process.ts agent <token> <name> |
// gateway <urls> <key file> <requests> | intruder <url> <key file>. Each tells what it sees as lines of JSON.
import { readFileSync } from 'node:fs';
import { decodeJoinToken, openBus } from '@vedette/bus';
import { clock, startAgent, startGateway } from '../bus/world.ts';

const [role, where = '', key = '', count = '0'] = process.argv.slice(2);
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
const seedOf = (file: string): string => readFileSync(file, 'utf8');

async function agent(token: string, name: string): Promise<void> {
  const { urls, location, seed } = decodeJoinToken(token);
  await startAgent({ url: urls.join(','), location, agent: name, credentials: seed });
  say('ready');
}

async function gateway(url: string, credentials: string, requests: number): Promise<void> {
  const { ask, presence, bus } = await startGateway(url, { credentials });
  const places = ['eu-fra', 'us-ash'];
  while (!places.every((id) => presence.beating().includes(id))) await clock.sleep(50);
  say('ready');
  await clock.sleep(500);
  const answers: Promise<void>[] = [];
  for (let n = 0; n < requests; n += 1) {
    answers.push(
      ask(places, { spec: { host: `a${n}.test`, wait_ms: 200 } }).then(
        (replies) => void say(replies.map(({ location, failure }) => [location, failure?.reason ?? 'ok'])),
        (error: unknown) => void say({ refused: String((error as { code?: string }).code ?? error) }),
      ),
    );
    await clock.sleep(20);
  }
  await Promise.all(answers);
  say('done');
  await bus.close();
  process.exit(0);
}

/** Somebody who has the key of a location, at a server that should not take it. */
async function intruder(url: string, credentials: string): Promise<void> {
  await openBus({ url, name: 'intruder', clock, credentials, waitOnFirstConnect: false }).then(
    () => say('let in'),
    (error: Error) => say(error.message),
  );
  process.exit(0);
}

if (role === 'agent') await agent(where, key);
if (role === 'gateway') await gateway(where, seedOf(key), Number(count));
if (role === 'intruder') await intruder(where, seedOf(key));
