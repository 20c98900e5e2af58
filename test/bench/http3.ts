/**
 * http3-status of a server 44 ms away, warm: names are cached and the QUIC client runs. Beside the round trips that its steps have: connection, TLS
 * and answer over TCP, then the QUIC handshake and the answer over it.
 */
import { Lab } from '../lab/lab.ts';
import { certificateFile, KEY_FILE } from '../lab/pki.ts';
import { WEB_HOSTS } from '../lab/plan.ts';
import { System } from '../lab/system.ts';
import { moveCore } from './far-core.ts';
import { median } from './figures.ts';

const TURNS = Number(process.env['TURNS'] ?? 15);
const REGION = 'us-ash';
const TCP_ROUND_TRIPS = 3;
const QUIC_ROUND_TRIPS = 2;
const { name, v4 } = WEB_HOSTS.tlsGood;
/** nginx has the usual port. */
const PORT = 8443;
const CADDY = `{
  admin off
  auto_https off
  storage file_system /run/caddy
}
https://${name}:${PORT} {
  bind ${v4}
  tls ${certificateFile('good')} ${KEY_FILE}
  respond "hello" 200
}
`;

const lab = await Lab.open();
try {
  lab.world.write('/run/Caddyfile', CADDY);
  const env = { XDG_DATA_HOME: '/run', XDG_CONFIG_HOME: '/run' };
  const caddy = await lab.spawn('hosts', ['caddy', 'run', '--adapter', 'caddyfile', '--config', '/run/Caddyfile'], env);
  await caddy.line(/serving initial configuration/);
  const system = await System.start(lab, { regions: [REGION] });
  await moveCore(lab, REGION);
  const ping = async () => {
    const { stdout } = await lab.exec('core', ['ping', '-n', '-c', '3', '-i', '0.2', v4]);
    return Number(/= ([\d.]+)\//.exec(stdout)![1]);
  };
  const ours = async () => {
    const { body, elapsed_ms } = await system.post('http3-status', { url: `https://${name}:${PORT}/` });
    if (!body.http3_supported) throw new Error(JSON.stringify(body));
    return { whole_ms: elapsed_ms, handshake_ms: body.attempts[0].addresses[0].ms as number };
  };
  for (let warm = 0; warm < 3; warm++) await ours();
  const turns: { rtt_ms: number; whole_ms: number; handshake_ms: number }[] = [];
  for (let turn = 0; turn < TURNS; turn++) turns.push({ rtt_ms: await ping(), ...(await ours()) });
  const middle = (of: (turn: (typeof turns)[number]) => number) => Number(median(turns.map(of)).toPrecision(3));
  const figures = {
    rtt_ms: middle((turn) => turn.rtt_ms),
    whole_ms: middle((turn) => turn.whole_ms),
    ratio: middle(({ whole_ms, rtt_ms }) => whole_ms / rtt_ms / (TCP_ROUND_TRIPS + QUIC_ROUND_TRIPS)),
    handshake_ms: middle((turn) => turn.handshake_ms),
    handshake_ratio: middle(({ handshake_ms, rtt_ms }) => handshake_ms / rtt_ms),
  };
  process.stdout.write(`${JSON.stringify({ bench: 'http3', region: REGION, turns: TURNS, ...figures })}\n`);
} finally {
  await lab.close();
}
