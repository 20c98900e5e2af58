import { join } from 'node:path';
import { expect, it } from 'vitest';
import { World } from './world.ts';

const ROOT = join(import.meta.dirname, '../..');
const CADDY = `{
  admin off
  skip_install_trust
  storage file_system /run/caddy
}
https://h3.test:4433 {
  bind 127.0.0.1
  tls internal
  respond "hello" 200
}
`;

it('tells datagrams that are dropped, refused and answered apart, and this machine’s own firewall', async () => {
  const world = await World.open();
  try {
    world.write('/run/Caddyfile', CADDY);
    const env = { XDG_DATA_HOME: '/run', XDG_CONFIG_HOME: '/run' };
    const caddy = await world.spawn(undefined, ['caddy', 'run', '--adapter', 'caddyfile', '--config', '/run/Caddyfile'], env);
    // It may listen before it has its certificate, and answers a handshake with an alert until then.
    const signs = ['serving initial configuration', 'certificate obtained successfully'];
    await caddy.until((lines) => signs.every((sign) => lines.some((line) => line.includes(sign))));
    const ask = async (): Promise<unknown> =>
      JSON.parse(await world.run(undefined, [process.execPath, join(ROOT, 'test/lab/http3-dropped.ts'), '4433'])) as unknown;
    const rule = async (hook: string, verdict: string): Promise<unknown> => {
      await world.run(undefined, ['nft', `add table inet t; add chain inet t c { type filter hook ${hook} priority 0; }`]);
      await world.run(undefined, ['nft', `add rule inet t c udp dport 4433 ${verdict}`]);
      const said = await ask();
      await world.run(undefined, ['nft', 'delete table inet t']);
      return said;
    };
    // Nobody here knows caddy's own root.
    expect(await ask()).toEqual({ udp: 'answered', connected: false, reason: 'tls_cert_invalid' });
    expect(await rule('input', 'drop')).toEqual({ udp: 'silent', connected: false, reason: 'connect_timeout' });
    expect(await rule('input', 'reject with icmpx type port-unreachable')).toEqual({
      udp: 'refused',
      connected: false,
      reason: 'connect_refused',
    });
    expect(await rule('input', 'reject with icmpx type admin-prohibited')).toEqual({
      udp: 'refused',
      connected: false,
      reason: 'connect_unreachable',
    });
    expect(await rule('output', 'drop')).toEqual({ rejected: 'no_network' });
  } finally {
    await world.close();
  }
});
