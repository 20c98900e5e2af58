/** What http3-status' client says of a server whose datagrams do not arrive: run inside a world, prints the outcome as JSON. */
import { createAddressPolicy } from '@vedette/probes/host';
import { parseHost } from '@vedette/contract';
import { openHttp3 } from '../../packages/probes/src/net/http3/client.ts';
import { systemClock } from '@vedette/probes/net';
import { healthOf } from '../probes/health/health-of.ts';

const [, , port = ''] = process.argv;
const client = openHttp3({
  policy: createAddressPolicy({ allowNets: ['127.0.0.1/32'] }),
  clock: systemClock,
  ca: [],
  health: healthOf([], createAddressPolicy()),
});
const outcome = await client
  .get({
    address: '127.0.0.1',
    port: Number(port),
    host: parseHost('h3.test')!,
    authority: 'h3.test',
    path: '/',
    fields: {},
    handshake_ms: 700,
    answer_ms: 800,
    signal: new AbortController().signal,
  })
  .then(
    ({ udp, connected, failure }) => ({ udp, connected, reason: failure?.code }),
    (error: { code?: string }) => ({ rejected: error.code }),
  );
client.close();
process.stdout.write(JSON.stringify(outcome));
