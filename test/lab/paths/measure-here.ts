/** Runs a probe in the network that it is started in: `node measure-here.ts trace '{"host":"192.0.2.1",…}'` prints its result as JSON. */
import { failure, ProbeFailure, type ProbePorts } from '@vedette/contract';
import { probes } from '@vedette/probes';
import { openEngines } from '@vedette/probes/engines';
import { systemClock } from '@vedette/probes/net';

const [kind, job = ''] = process.argv.slice(2);
const probe = probes.find((one) => one.kind === kind)!;
const engines = await openEngines({
  clock: systemClock,
  resolvers: [{ address: '127.0.0.1', port: 9 }], // nothing is resolved
  witnesses: undefined,
  cache: true,
  limits: { spares: [] },
  icmp: { netPing: false, onNote: (note, cause) => process.stderr.write(`${note}: ${String(cause)}\n`) },
});
const ports: ProbePorts = {
  ...engines,
  clock: systemClock,
  icmp: engines.icmp!,
  exits: [],
  ca: [],
  isDenied: () => false,
  signal: AbortSignal.timeout(20_000),
  budget_ms: 20_000,
};
try {
  process.stdout.write(JSON.stringify(await probe.run(JSON.parse(job), ports)));
} catch (error) {
  if (!(error instanceof ProbeFailure)) throw error;
  process.stdout.write(JSON.stringify({ ...(error.partial as object), failure: failure(error.code, error.seen) }));
}
process.exit();
