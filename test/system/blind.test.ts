import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { operations } from '@vedette/operations';
import { describe, expect, it, vi } from 'vitest';
import type { BlindRun, World } from './blind-run.ts';

// Without a network the validators answered "no record" for 5 credits, email-verify a score of 100, ping-test that the target was
// unreachable; where the DNS was intercepted every name did not exist, at the same prices.
const SCRIPT = fileURLToPath(new URL('./blind-run.ts', import.meta.url));

/** Runs everything in a network namespace with nothing but the loopback. */
async function blindRun(world: World): Promise<BlindRun> {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', SCRIPT, world];
  const inside = ['-n', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...node];
  const { stdout } = await promisify(execFile)('unshare', inside, { timeout: 300_000 });
  return JSON.parse(stdout) as BlindRun;
}

const OF_THE_SUBJECT = operations.filter(({ name }) => name !== 'account-info');
/** What renderers fetch, by their own resolvers. */
const PAGES = ['http-tracker', 'screenshot', 'url-to-pdf'];
/** What is answered from memory and from our own database, what comes with the request, and what servers say that prove who they are. */
const WITHOUT_DNS = OF_THE_SUBJECT.filter(({ kind, dns }) => kind === 'central' && (dns === undefined || dns.unreported === true))
  .map(({ name }) => name)
  .filter((name) => !PAGES.includes(name) && name !== 'tor-test'); // this machine has no lists

/** How ssl-info is refused, whose agents have no network either: of a name by the resolvers of the gateway, of an address by the agents. */
const REFUSED_BY_GATEWAY = { operation: 'ssl-info', charged: 0, status: 502, code: 'upstream_failed' };
const REFUSED_BY_AGENTS = { operation: 'ssl-info', charged: 0, status: 503, code: 'no_agent' };

/** How what needs the DNS, an agent or an exit is refused. */
const REFUSED = ['upstream_failed', 'no_agent', 'no_vpn_exit'];

// Each waits for what does not come; all six at once take a third more of the processors than three.
vi.setConfig({ maxConcurrency: 3 });

describe.skipIf(process.getuid?.() !== 0).concurrent('a machine', () => {
  it.each<{ world: World; problem: string }>([
    { world: 'no network', problem: 'The resolver did not answer in time: ENETUNREACH' },
    { world: 'an intercepting resolver', problem: 'answered NXDOMAIN for the root' },
    { world: 'a dead resolver', problem: 'no answer' },
  ])(
    'with $world sells no answer that says something about its subject, and tells its operators',
    async ({ world, problem }) => {
      const { answered, fromLocations, readiness, resolversOk, logged } = await blindRun(world);
      const refused = OF_THE_SUBJECT.map(({ name, kind, cost }) => {
        if (WITHOUT_DNS.includes(name)) return { operation: name, charged: cost, status: 200 };
        if (kind === 'central') return { operation: name, charged: 0, status: 502, code: 'upstream_failed' };
        return { operation: name, charged: 0, status: 503, code: name === 'vpn-test' ? 'no_vpn_exit' : 'no_agent' };
      });
      expect(answered).toEqual([{ operation: 'account-info', charged: 0, status: 200 }, ...refused]);
      expect(fromLocations).toEqual([REFUSED_BY_GATEWAY, REFUSED_BY_AGENTS]);
      expect(readiness).toMatchObject({ status: 'degraded', impaired: [{ part: 'resolvers', reason: problem }] });
      expect(resolversOk).toBe('0');
      expect(logged).toContain('our resolvers cannot be believed: what needs the DNS is refused, and free');
      expect(logged).toContain('our resolvers cannot be believed: names are not measured');
    },
    300_000,
  );

  it('with a resolver that has only its cache left sells no answer either', async () => {
    const { answered, fromLocations, logged } = await blindRun('a resolver that has only its cache left');
    expect(fromLocations).toEqual([REFUSED_BY_AGENTS, REFUSED_BY_AGENTS]);
    const sold = answered.filter(({ status, code }) => status === 200 || !REFUSED.includes(code ?? ''));
    expect(sold.map(({ operation, code = 'sold' }) => `${operation}: ${code}`)).toEqual(
      ['account-info', ...WITHOUT_DNS].map((name) => `${name}: sold`),
    );
    expect(logged).toContain('the witnesses do not answer: what the DNS leaves unanswered is not told of its zones');
  }, 300_000);

  it('whose connections end at itself says nothing of the hosts that it cannot reach', async () => {
    const { answered, fromLocations } = await blindRun('hosts that no way leads to');
    expect(fromLocations).toEqual([REFUSED_BY_GATEWAY, REFUSED_BY_AGENTS]);
    const contacting = ['parked-domain', 'qr-scan', 'security-headers', 'site-trust', 'ssl-info', 'tls-check', 'url-status'];
    expect(answered.filter(({ operation }) => contacting.includes(operation))).toEqual(
      contacting.map((operation) => ({ operation, charged: 0, status: 502, code: 'upstream_failed' })),
    );
  }, 300_000);

  it('with a sound resolver sells the answer that a name is not there', async () => {
    const { answered, fromLocations, readiness, resolversOk } = await blindRun('a sound resolver');
    // The name does not exist; to the address no way leads.
    expect(fromLocations).toEqual([{ operation: 'ssl-info', charged: 7, status: 200 }, REFUSED_BY_AGENTS]);
    const unpaid = answered.filter(({ status, charged }) => status !== 200 || charged === 0);
    expect(unpaid).toEqual([
      { operation: 'account-info', charged: 0, status: 200 },
      { operation: 'domain-age', charged: 0, status: 502, code: 'upstream_failed' }, // there are no registries
      { operation: 'domain-info', charged: 0, status: 502, code: 'upstream_failed' }, // there are no registries
      { operation: 'tor-test', charged: 0, status: 502, code: 'upstream_failed' }, // there are no lists of relays
      { operation: 'url-reputation', charged: 0, status: 502, code: 'upstream_failed' }, // there is neither a page nor a list of URLs
      { operation: 'vpn-test', charged: 0, status: 503, code: 'no_vpn_exit' },
    ]);
    expect(readiness).toMatchObject({ impaired: [] });
    expect(resolversOk).toBe('1');
  }, 300_000);
});
