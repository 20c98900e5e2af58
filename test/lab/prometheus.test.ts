import { beforeAll, expect, it } from 'vitest';
import { DASHBOARDS } from '../dashboards.ts';
import { asked, unknownLabels } from './dashboard-queries.ts';
import { lab, shareSystem, system } from './opened.ts';
import { CORE_ADDRESS, DNS, WEB_HOSTS } from './plan.ts';
import { describeLab } from './preflight.ts';
import { Prometheus } from './prometheus.ts';
import { API_KEY, DATA_DIR, RENDERER_OPS_PORT } from './system.ts';

/** Has twins of which one falls silent, and an exit. */
const HEDGED = 'us-ash';
/** Loses its only agent. */
const KILLED = 'br-gru';
const MESSAGE = Buffer.from('From: a@lab-good.com\r\nTo: b@lab-good.com\r\nSubject: hello\r\n\r\nhello\r\n').toString('base64');

/** Queries about what need not happen here: their series begin with the first of it. By dashboard, panel and query, or label. */
const QUIET: readonly string[] = [
  'vedette-api: Connections: B',
  'vedette-api: Connections: C',
  'vedette-api: Why parsers ended: A',
  'vedette-fleet: Alerts: agent',
  'vedette-fleet: What nobody took: A',
  'vedette-location: What went wrong with jobs: A',
  'vedette-location: What went wrong with jobs: C',
  'vedette-location: What went wrong with jobs: D',
  'vedette-location: What went wrong with jobs: E',
  'vedette-money: Holds, and holds in doubt: C',
  'vedette-renderer: Begun again elsewhere: A',
  'vedette-renderer: Browsers that ended: A',
  'vedette-renderer: Browsers that ended: B',
  'vedette-renderer: Refused and cancelled: A',
  'vedette-renderer: Refused and cancelled: B',
];

let prometheus: Prometheus;

describeLab('a Prometheus that scrapes the fleet', () => {
  shareSystem({
    VEDETTE_ENGINES_FILE: `${import.meta.dirname}/one-engine.json`,
    VEDETTE_FEEDS_FILE: `${import.meta.dirname}/one-feed.json`,
    VEDETTE_PROBE_FILE: `${import.meta.dirname}/probe-modules.yml`,
  });
  beforeAll(async () => {
    const [started] = await Promise.all([
      Prometheus.start(lab, {
        targets: {
          gateways: ['127.0.0.1:9080'],
          renderers: [`127.0.0.1:${RENDERER_OPS_PORT}`],
          'probe-ping': ['www.lab-good.com'],
          'probe-http': ['https://www.lab-good.com/'],
          'probe-dns': [DNS.authoritative.v4],
        },
        gateway: `${CORE_ADDRESS}:8080`,
        key: API_KEY,
        every_s: 1,
      }),
      system.startRenderer(),
      system.startAgent(HEDGED, 'b'),
    ]);
    prometheus = started;
    await system.untilAgents({ [HEDGED]: 2 });
  }, 120_000);

  /** What clients do, and what they should not. That it is answered well is for others to test: a busy machine may be late with it. */
  const traffic = () =>
    Promise.allSettled([
      system.post('ping-test', { host: WEB_HOSTS.web.v4 }),
      system.post('geo-request', { url: 'http://www.lab-good.com/' }),
      system.post('vpn-test', { url: 'http://www.lab-good.com/' }),
      system.post('ip-reputation', { ip: WEB_HOSTS.web.v4 }),
      system.post('eml-insights', { eml_base64: MESSAGE }, { timeout_s: 20 }),
      system.post('screenshot', { url: 'http://www.lab-good.com/', viewport_width: 200, viewport_height: 100 }),
      postAs('nobody', 'account-info', {}),
      lab.exec('core', ['curl', '-sS', 'http://127.0.0.1:9080/admin/accounts']),
    ]);
  const postAs = async (key: string, operation: string, parameters: object): Promise<number> => {
    const headers = ['-H', `X-API-Key: ${key}`, '-H', 'Content-Type: application/json'];
    const url = `http://${CORE_ADDRESS}:8080/v2/${operation}`;
    const shown = ['-o', '/dev/null', '-w', '%{http_code}'];
    return Number(await lab.world.run('core', ['curl', '-sS', ...shown, ...headers, '-d', JSON.stringify(parameters), url]));
  };
  /** One of two agents is silent: the other one gets its jobs, and what the first gives when it wakes is late. */
  const hedge = async () => {
    const silent = system.agent(HEDGED, 'a');
    await silent.freeze();
    const targets = [WEB_HOSTS.web.v4, WEB_HOSTS.plain.v4, WEB_HOSTS.tlsGood.v4];
    await Promise.all(targets.map((host) => system.post('ping-test', { host, locations: [HEDGED] })));
    silent.kill('SIGCONT');
  };
  /** A key of an account that has credits for one ping. */
  const poorKey = async (): Promise<string> => {
    const cli = [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      `${import.meta.dirname}/../../packages/cli/src/main.ts`,
      '--json',
    ];
    const env = { VEDETTE_DATA_DIR: DATA_DIR, VEDETTE_OPS_PORT: '9080' };
    const vedette = async (...args: string[]) => JSON.parse(await lab.world.run('core', [...cli, ...args], { env }));
    await vedette('plans', 'set', 'poor', '--credits', '5');
    const { id } = await vedette('accounts', 'create', '--name', 'Poor', '--plan', 'poor');
    return (await vedette('keys', 'create', '--account', id, '--name', 'only')).key;
  };
  const locationsDown = async () => (await prometheus.firing()).filter(({ alertname }) => alertname === 'LocationDown');

  it('has all of its targets up', async () => {
    const jobs = ['probe-dns', 'probe-http', 'probe-ping', 'prometheus', 'vedette-gateway', 'vedette-renderer'];
    const targets = await prometheus.until(
      () => prometheus.targets(),
      (seen) => seen.length === jobs.length && seen.every(({ health }) => health === 'up'),
    );
    expect(targets.map(({ job }) => job).toSorted()).toEqual(jobs);
  });

  it('fires an alert for a location whose agent was killed', async () => {
    const key = await poorKey();
    for (let round = 0; round < 2; round++) {
      await traffic();
      await hedge();
      expect(await postAs(key, 'ping-test', { host: WEB_HOSTS.web.v4, locations: [HEDGED] })).toBe([200, 402][round]);
    }
    expect(await locationsDown()).toEqual([]);
    system.agent(KILLED).kill('SIGKILL');
    const lost = () => system.post('ping-test', { host: WEB_HOSTS.web.v4, locations: [KILLED] });
    await lost();
    const firing = await prometheus.until(locationsDown, (seen) => seen.length > 0);
    expect(firing).toMatchObject([{ location: KILLED, severity: 'critical' }]);
    await lost();
    // Targets that are probed know of it too, and do not take it for their own failure.
    const blind = () => prometheus.query(`probe_agent_ok{location="${KILLED}"} == 0`);
    expect(await prometheus.until(blind, (seen) => seen.length === 3)).toHaveLength(3);
  }, 120_000);

  it('has an answer to every query of every dashboard, with the labels that it shows', async () => {
    const quiet: string[] = [];
    const unknown: string[] = [];
    for (const [name, dashboard] of DASHBOARDS) {
      for (const [panel, queries] of Map.groupBy(await asked(prometheus, dashboard), (query) => query.panel)) {
        const empty = queries.filter(({ samples }) => samples.length === 0).map(({ refId }) => `${name}: ${panel.title}: ${refId}`);
        quiet.push(...empty);
        if (empty.length === 0) unknown.push(...unknownLabels(panel, queries).map((label) => `${name}: ${panel.title}: ${label}`));
      }
    }
    expect([...quiet, ...unknown].filter((missing) => !QUIET.includes(missing))).toEqual([]);
  }, 180_000);

  it('takes the alert back when an agent is there again', async () => {
    if (!system.agent(KILLED).running) await system.startAgent(KILLED);
    expect(await prometheus.until(locationsDown, (seen) => seen.length === 0)).toEqual([]);
  }, 180_000);
});
