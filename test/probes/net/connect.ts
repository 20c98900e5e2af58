/** Dials from the network it is started in: `node connect.ts [icmp] <address>…` prints how each connection to port 80 failed, as JSON; `icmp`: with the words of it. */
import { ProbeFailure } from '@vedette/contract';
import { createDialler } from '@vedette/probes/net';

const dialler = createDialler({ policy: { judge: (address) => ({ allowed: true, class: 'public', address }) } });
const args = process.argv.slice(2);
const tellsIcmp = args[0] === 'icmp';
const dial = (address: string) =>
  dialler.tcp({ address, port: 80, tellsIcmp, signal: AbortSignal.timeout(3_000) }).then(
    () => 'connected',
    (error: unknown) => (error instanceof ProbeFailure ? `${error.code} ${error.seen}` : String(error)),
  );
const addresses = tellsIcmp ? args.slice(1) : args;
const outcomes = await Promise.all(addresses.map(async (address) => [address, await dial(address)]));
process.stdout.write(JSON.stringify(Object.fromEntries(outcomes)));
