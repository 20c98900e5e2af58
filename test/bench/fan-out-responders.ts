// All fake agents of the fan-out bench in one process: node fan-out-responders.ts <url> <count>. They answer at once, in
// the frames of the protocol, or after `hold_ms` × 0.5 … 1, and then say how long they really held the job.
import { connect } from 'nats';

const [url = '', count = '0'] = process.argv.slice(2);

const result = (location: string) => ({
  host: 'example.test',
  ip_address: '192.0.2.1',
  packets_sent: 4,
  packets_received: 4,
  icmp_requests: [1, 2, 3, 4].map((icmp_seq) => ({ bytes: 64, icmp_seq, ttl: 57, time_ms: 10.123 + icmp_seq })),
  rtt: { min: 10.1, avg: 11.2, max: 13.3, mdev: 0.8 },
  by: location,
});

for (let n = 0; n < Number(count); n += 1) {
  const location = `loc-${n}`;
  const agent = `agent-${n}`;
  const nats = await connect({ servers: url, noAsyncTraces: true });
  const body = JSON.stringify(result(location));
  const beat = () =>
    nats.publish(
      `vedette.v1.beat.${location}.${agent}`,
      JSON.stringify({
        agent,
        location,
        version: '0.0.0',
        protocol: { major: 1, minor_min: 0, minor_max: 1 },
        state: 'ready',
        capabilities: { kinds: ['ping'], v4: true, v6: true, icmp: 'kernel', h2: true, h3: false, vpn: 0 },
        slots: { ping: { used: 0, max: 64 } },
        jobs: 1,
        simulated: true,
        event_loop_delay_ms: 0,
        icmp_overhead_ms: 0,
        clock_ms: 0,
        selftest: { failing: 0, witnesses: 3 },
      }),
    );
  nats.subscribe(`vedette.v1.job.ping.${location}`, {
    queue: location,
    callback: (_error, message) => {
      const { job, attempt, nonce, spec } = message.json<{ job: string; attempt: number; nonce: string; spec: { hold_ms: number } }>();
      const head = `"job":"${job}","attempt":${attempt},"nonce":"${nonce}","agent":"${agent}"`;
      message.respond(`{"type":"ack",${head}}`);
      if (spec.hold_ms === 0) return void message.respond(`{"type":"final",${head},"result":${body}}`);
      const since = performance.now();
      const hold = () => {
        const held_ms = performance.now() - since;
        message.respond(`{"type":"final",${head},"result":${JSON.stringify({ ...result(location), held_ms })}}`);
      };
      setTimeout(hold, (spec.hold_ms * (Number(count) + n)) / (2 * Number(count)));
    },
  });
  // The floor: the same number of messages and bytes each way, nothing read.
  nats.subscribe(`floor.${location}`, {
    queue: location,
    callback: (_error, message) => {
      message.respond('x'.repeat(110));
      message.respond(body);
    },
  });
  nats.subscribe(`single.${location}`, { queue: location, callback: (_error, message) => void message.respond(message.data) });
  await nats.flush();
  beat();
  setInterval(beat, 250); // as agents with jobs do
}
process.on('disconnect', () => process.exit(0));
process.send!('ready');
