import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@vedette/operations';
import { startHostileDns } from './hostile-dns.ts';
import { ONE_AGENT, startOneMachine } from './one-machine.ts';

/** How the world looks to the machine; the names are what the test calls them by. */
export type World =
  | 'no network'
  | 'an intercepting resolver'
  | 'a dead resolver'
  | 'a resolver that has only its cache left'
  | 'a sound resolver'
  | 'hosts that no way leads to';

/** What one operation answered. */
export interface Answered {
  operation: string;
  status: number;
  code?: string;
  charged: number;
}

/** What a run in one world saw. */
export interface BlindRun {
  answered: Answered[];
  /** ssl-info from a location, of a name and of an address. */
  fromLocations: Answered[];
  readiness: { status: string; impaired: { part: string; reason: string }[] };
  resolversOk: string | undefined;
  /** Messages of the logs of gateway and agents. */
  logged: string[];
}

/** A message without a signature needs nobody but its reader. */
const SIGNED = 'From: a@example.org\r\nDKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s; h=from; bh=aGFzaA==; b=c2ln\r\n\r\nHello';
const EML_INSIGHTS = { eml_base64: Buffer.from(SIGNED).toString('base64') };

/** Asks every operation for its example, in a network namespace that has the loopback alone; prints what it saw. */
async function run(world: World): Promise<BlindRun> {
  const dns = await startHostileDns((name, type) => {
    if (world === 'a dead resolver') return 'silence';
    if (world === 'an intercepting resolver') return 'NXDOMAIN';
    const isRoot = name === '.' || name === '';
    if (world === 'a resolver that has only its cache left' && !isRoot) return 'SERVFAIL';
    if (isRoot) return [{ type: 'NS', name: '.', data: 'a.root-servers.net', ttl: 60 }];
    if (world === 'hosts that no way leads to') return type === 'A' ? [{ type, name, data: '93.184.215.14', ttl: 60 }] : [];
    return type === 'NS' ? [] : 'NXDOMAIN';
  });
  const machine = await startOneMachine({
    ...ONE_AGENT,
    VEDETTE_RESOLVERS: world === 'no network' ? '192.0.2.53' : `127.0.0.1:${dns.port}`,
    // No way leads there; in the sound world the resolver alone is believed.
    VEDETTE_WITNESSES: '1.1.1.1,8.8.8.8,9.9.9.9',
    VEDETTE_ALLOW_NETS: '',
    VEDETTE_PORT_SCAN: 'on',
  });
  const ask = async (name: string, request: object, times = 10): Promise<Answered> => {
    const response = await machine.post(name, request);
    const body = (await response.json()) as { code?: string };
    if (['overloaded', 'ledger_unavailable'].includes(body.code ?? '') && times > 1) {
      await sleep(1_000); // a busy machine says so, and when to come again
      return await ask(name, request, times - 1);
    }
    const quota = response.headers.get('x-service-quota') ?? '';
    return {
      operation: name,
      status: response.status,
      ...(body.code !== undefined && { code: body.code }),
      charged: Number(/cost=(\d+)/.exec(quota)?.[1]),
    };
  };
  const exampleOf = ({ name, examples }: (typeof operations)[number]): [string, object] => [
    name,
    name === 'eml-insights' ? EML_INSIGHTS : (examples[0] as object),
  ];
  const answered: Answered[] = [];
  // Where all answer at once they are asked one by one: what waits for its turn on a busy machine would be late, and is doubted.
  if (world === 'a sound resolver' || world === 'hosts that no way leads to')
    for (const operation of operations) answered.push(await ask(...exampleOf(operation)));
  else answered.push(...(await Promise.all(operations.map((operation) => ask(...exampleOf(operation))))));
  const fromLocations: Answered[] = [];
  for (const host of ['example.org', '93.184.215.14']) fromLocations.push(await ask('ssl-info', { host, locations: ['eu-fra'] }));
  const ops = `http://127.0.0.1:${machine.opsPort}`;
  const readiness = (await (await fetch(`${ops}/readyz`)).json()) as BlindRun['readiness'];
  const resolversOk = /^vedette_gateway_resolvers_ok (\d)$/m.exec(await (await fetch(`${ops}/metrics`)).text())?.[1];
  const logged = machine
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  await machine.stop();
  dns.close();
  return { answered, fromLocations, readiness, resolversOk, logged };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(process.argv[2] as World)));
