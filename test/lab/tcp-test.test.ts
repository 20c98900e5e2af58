import { beforeAll, expect, it } from 'vitest';
import { lab, shareSystem, system } from './opened.ts';
import { ODD_PORTS } from './odd-ports.ts';
import { HOSTILE_HOST, WEB_HOSTS } from './plan.ts';
import { describeLab } from './preflight.ts';

const REGION = 'us-ash';
const FILTERED = WEB_HOSTS.redirects.v4;
const PROHIBITED = WEB_HOSTS.blockPage.v4;
const RESET = WEB_HOSTS.captcha.v4;

interface Seen {
  state: string;
  reason?: string;
  banner: string;
  icmp: string;
  closed_by_server: boolean;
}

const ask = (host: string, port: number) => system.post('tcp-test', { host, port, attempts: 1, locations: [REGION] });

async function tcpTest(host: string, port: number): Promise<Seen> {
  const { status, body } = await ask(host, port);
  expect(status, JSON.stringify(body)).toBe(200);
  const [{ reason, tcp_output }] = body.locations;
  const { state, banner, closed_by_server, attempts } = tcp_output;
  return { state, banner, closed_by_server, icmp: attempts[0]?.icmp ?? '', ...(reason && { reason }) };
}

async function nmap(host: string, port: number): Promise<string> {
  const { stdout } = await lab.exec(REGION, ['nmap', '-sT', '-Pn', '-n', '--max-retries', '1', '-oG', '-', '-p', String(port), host]);
  return /\d+\/(open|closed|filtered)\/tcp/.exec(stdout)![1]!;
}

describeLab('tcp-test of a port', () => {
  shareSystem({ VEDETTE_LIMITS: 'off' });
  const { v4: odd } = HOSTILE_HOST;
  beforeAll(async () => {
    const servers = await lab.spawn('hosts', [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      `${import.meta.dirname}/odd-ports.ts`,
      odd,
    ]);
    await servers.line(/^ready$/);
  });
  it('says what came back, of servers and of firewalls, as nmap does', async () => {
    await lab.faults.cutFromHost(REGION, FILTERED);
    await lab.faults.cutFromHost(REGION, PROHIBITED, 'admin-prohibited');
    await lab.faults.cutFromHost(REGION, RESET, 'reset');
    const open = { state: 'open', banner: '', closed_by_server: false, icmp: '' };
    const shut = (state: string, reason: string, icmp: unknown = '') => ({ ...open, state, reason, icmp });
    const cases: [host: string, port: number, seen: { state: string; [field: string]: unknown }][] = [
      [odd, ODD_PORTS.greets, { ...open, banner: '220 hello\\r\\n', closed_by_server: true }],
      [odd, ODD_PORTS.late, { ...open, banner: '220 at last\\r\\n', closed_by_server: true }],
      [odd, ODD_PORTS.tarpit, { ...open, banner: expect.stringMatching(/^x+$/) }],
      [odd, ODD_PORTS.mute, open],
      [odd, ODD_PORTS.resets, { ...shut('reset', 'connect_reset'), closed_by_server: expect.any(Boolean) }],
      [odd, ODD_PORTS.closed, shut('refused', 'connect_refused')],
      [RESET, 80, shut('refused', 'connect_refused')],
      [PROHIBITED, 80, shut('rejected', 'connect_unreachable', expect.stringContaining('3/13'))],
      [FILTERED, 80, shut('filtered', 'connect_timeout')],
    ];
    for (const [host, port, expected] of cases) expect(await tcpTest(host, port), `port ${port} of ${host}`).toEqual(expected);
    // It calls both silence and ICMP filtered.
    const words: Record<string, string> = { open: 'open', refused: 'closed', rejected: 'filtered', filtered: 'filtered' };
    for (const [host, port, { state }] of cases.filter(([, , { state: ours }]) => ours in words))
      expect(await nmap(host, port), `port ${port} of ${host}`).toBe(words[state]);
  }, 60_000);

  it('names no state where the uplink is dead, and costs nothing', async () => {
    const remaining = async (port: number) => {
      const { status, headers } = await ask(odd, port);
      return { status, remaining: Number(/remaining=(\d+)/.exec(headers['x-service-quota']!)![1]) };
    };
    const before = await remaining(ODD_PORTS.greets);
    const heal = await lab.faults.cutFromInternet(REGION);
    const { status, headers, body } = await ask(odd, ODD_PORTS.greets);
    expect({ status, error: body.error }).toEqual({ status: 503, error: expect.stringContaining('no working network') });
    expect(headers['x-service-quota']).toContain(`remaining=${before.remaining}`);
    await heal();
    await expect.poll(async () => (await ask(odd, ODD_PORTS.greets)).status, { timeout: 20_000 }).toBe(200);
  }, 60_000);
});
