import { openBus, readCredentials } from '@vedette/bus';
import { cidrContains, parseCidrs, parseIp } from '@vedette/contract';
import { parseEndpoints } from '@vedette/probes/dns';
import { ICMP_REMEDY, openEngines } from '@vedette/probes/engines';
import { ownAddresses, readCa, systemClock } from '@vedette/probes/net';
import { rootProblem } from '@vedette/probes/health';
import { BUS_PROCESS_SETTINGS, SettingsReader } from '@vedette/process/settings';
import { unknownSettings } from '@vedette/process/unknown-settings';
import { Type } from 'typebox';
import type { Check, DoctorPorts, Finding } from './ports.ts';

const TIMEOUT_MS = 5_000;
/** More than this between two clocks makes dates in reports and logs disagree. */
const MAX_SKEW_MS = 2_000;
const GLOBAL_UNICAST = parseCidrs(['2000::/3']); // RFC 4291 §2.4

const ok = (detail: string) => ({ state: 'ok', detail }) as const;
const warning = (detail: string) => ({ state: 'warning', detail }) as const;
const failed = (detail: string) => ({ state: 'failed', detail }) as const;

const BusSettings = Type.Object({ VEDETTE_NATS_URL: BUS_PROCESS_SETTINGS.VEDETTE_NATS_URL });

const icmp: Check = {
  name: 'icmp',
  async run({ env }) {
    const notes: string[] = [];
    const { icmp: engine, close } = await openEngines({
      clock: systemClock,
      cache: false,
      witnesses: undefined,
      icmp: { onNote: (note) => notes.push(note), netPing: env['VEDETTE_ICMP_ENGINE'] === 'net-ping' },
    });
    await close();
    if (!engine) return failed(`no engine works: ${notes.join('; ')}. ${ICMP_REMEDY}`);
    const seen = `engine ${engine.name}, ${engine.overhead_ms.toFixed(3)} ms on the loopback, IPv4 ${engine.v4 ? 'yes' : 'no'}, IPv6 ${engine.v6 ? 'yes' : 'no'}`;
    return engine.name === 'kernel' && engine.v4 ? ok(seen) : warning([seen, ...notes].join('; '));
  },
};

const resolver: Check = {
  name: 'resolver',
  async run({ env }) {
    const resolvers = env['VEDETTE_RESOLVERS'] ? parseEndpoints(env['VEDETTE_RESOLVERS']) : undefined;
    const { resolver: engine, close } = await openEngines({ clock: systemClock, resolvers, witnesses: undefined, cache: false });
    try {
      const start = systemClock.now();
      const problem = rootProblem(await engine.query('.', 'NS', { signal: AbortSignal.timeout(TIMEOUT_MS), dnssec: true }));
      const took = `${(systemClock.now() - start).toFixed(0)} ms`;
      return problem === ''
        ? ok(`${engine.servers.join(', ')} answered for the root in ${took}`)
        : failed(`${engine.servers.join(', ')} ${problem}: set VEDETTE_RESOLVERS to a recursive resolver`);
    } catch (err) {
      return failed(`${engine.servers.join(', ')}: ${(err as Error).message}. Set VEDETTE_RESOLVERS to a recursive resolver`);
    } finally {
      await close();
    }
  },
};

const bus: Check = {
  name: 'bus',
  async run({ env }) {
    const reader = new SettingsReader(env);
    const credentials = reader.file('VEDETTE_NATS_CREDS', readCredentials);
    const roots = reader.file('VEDETTE_NATS_CA_FILE', readCa);
    const { VEDETTE_NATS_URL: url } = reader.finish(BusSettings);
    const isWanted = Boolean(env['VEDETTE_NATS_URL'] || env['VEDETTE_LOCATION']);
    const warnings: string[] = [];
    const opened = openBus({
      url,
      name: 'vedette doctor',
      clock: systemClock,
      waitOnFirstConnect: false,
      roots,
      ...(credentials !== undefined && { credentials }),
      onWarning: (code, detail) => warnings.push(`${code}: ${detail}`),
    });
    const connection = await opened.catch((cause: unknown) => (cause instanceof Error ? cause.message : String(cause)));
    if (typeof connection === 'string')
      return isWanted
        ? failed(`${url}: ${connection}. Does the nats-server run, and does VEDETTE_NATS_CREDS name a key that it knows?`)
        : warning(
            `VEDETTE_NATS_URL is not set, and gateways and agents would get ${connection} at ${url}; \`npm start\` starts its own bus`,
          );
    try {
      const start = systemClock.now();
      await connection.flush();
      const seen = `${url} answered in ${(systemClock.now() - start).toFixed(1)} ms`;
      return warnings.length === 0 ? ok(seen) : warning([seen, ...warnings].join('; '));
    } finally {
      await connection.close();
    }
  },
};

const ipv6: Check = {
  name: 'ipv6',
  async run() {
    const globals = ownAddresses().filter((text) => {
      const address = parseIp(text);
      return address !== undefined && GLOBAL_UNICAST.some((cidr) => cidrContains(cidr, address));
    });
    return globals.length > 0
      ? ok(globals.join(', '))
      : warning('no global address: targets that have only IPv6 cannot be measured from here');
  },
};

/** Undefined when the port does not answer. */
const ask = async ({ url, fetch }: DoctorPorts, path: string): Promise<Response | undefined> =>
  await fetch(`${url}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);

/** A machine that has agents alone has no gateway to ask: that there should be one, something must say. */
const nobody = ({ url, env, hasGatewayData }: DoctorPorts) =>
  !env['VEDETTE_LOCATION'] && (env['VEDETTE_OPS_HOST'] || env['VEDETTE_OPS_PORT'] || hasGatewayData())
    ? failed(`no gateway answers at ${url}: is it running, and do VEDETTE_OPS_HOST and VEDETTE_OPS_PORT match its settings?`)
    : warning(`no gateway at ${url}, as on an agent's machine: VEDETTE_OPS_HOST and VEDETTE_OPS_PORT may name one to compare with`);

const gateway: Check = {
  name: 'gateway',
  async run(ports) {
    const { url } = ports;
    const response = await ask(ports, '/readyz');
    if (!response) return nobody(ports);
    const { missing, impaired = [] } = ((await response.json().catch(() => undefined)) ?? {}) as {
      missing?: string[];
      impaired?: { part: string; reason: string }[];
    };
    if (!Array.isArray(missing))
      return failed(`${url} is not the operators' listener of a gateway: see VEDETTE_OPS_HOST and VEDETTE_OPS_PORT`);
    if (missing.length > 0) return failed(`${url} is not ready; missing: ${missing.join(', ')}`);
    return impaired.length > 0
      ? warning(`${url} is ready without ${impaired.map(({ part, reason }) => `${part}: ${reason}`).join('; ')}`)
      : ok(`${url} is ready: bus, database and agents`);
  },
};

const clock: Check = {
  name: 'clock',
  async run(ports) {
    const response = await ask(ports, '/healthz');
    if (!response) return nobody(ports);
    // A Date header is cut to whole seconds.
    const skew = ports.now().getTime() - new Date(response.headers.get('date') ?? '').getTime() - 500;
    if (Number.isNaN(skew)) return warning('the gateway sends no date');
    const seen = `${Math.abs(skew / 1000).toFixed(1)} s ${skew < 0 ? 'behind' : 'ahead of'} the gateway's`;
    return Math.abs(skew) <= MAX_SKEW_MS ? ok(`within ${MAX_SKEW_MS / 1000} s of the gateway's`) : failed(`${seen}: synchronise it (NTP)`);
  },
};

const settings: Check = {
  name: 'settings',
  async run({ env }) {
    const unknown = unknownSettings(env);
    return unknown.length === 0 ? ok('every VEDETTE_ variable is a setting') : warning(unknown.join('; '));
  },
};

/** Everything that a machine needs, in the order in which it is worth repairing. */
export const CHECKS: readonly Check[] = [icmp, resolver, ipv6, bus, gateway, clock, settings];

/** Runs all checks at once. A check that throws has failed. */
export async function runChecks(ports: DoctorPorts): Promise<Finding[]> {
  return await Promise.all(
    CHECKS.map(async ({ name, run }) => ({
      name,
      ...(await run(ports).catch((err: unknown) => failed(reasonOf(err)))),
    })),
  );
}

/** fetch says why only in its cause. */
function reasonOf(err: unknown): string {
  const { message, cause } = err as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
