import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cidrsOf, listOf, parseIp, portsOf, readSettings, Setting, SettingProblems, type Endpoint, type VpnExit } from '@vedette/contract';
import { parseEndpoints, parseVpnExits, readCa } from '@vedette/probes';
import { Type, type Static } from 'typebox';

const Token = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description });

export const Settings = Type.Object({
  VEDETTE_LOCATION: Token('Id of the location where this agent stands'),
  VEDETTE_AGENT_ID: Type.Optional(Token('Its own name; unset = random')),
  VEDETTE_NATS_URL: Setting.text('Bus', 'nats://127.0.0.1:4222'),
  VEDETTE_NATS_CREDS: Type.Optional(Setting.text('File with an nkey seed or a .creds file')),
  VEDETTE_RESOLVERS: Type.Optional(Setting.text('ip[:port],… that the DNS engine asks')),
  VEDETTE_ALLOW_NETS: Type.Optional(Setting.text('CIDRs let through although special-purpose')),
  VEDETTE_CA_FILE: Type.Optional(Setting.text("PEM roots trusted beside Mozilla's")),
  VEDETTE_VPN_EXITS: Type.Optional(Setting.text('Exits for vpn-test')),
  VEDETTE_WITNESSES: Type.Optional(Setting.text('Name servers whose answers prove our internet; empty = no self-test')),
  VEDETTE_OWN_TARGETS: Type.Optional(Setting.text("The operator's own names and CIDRs, spared by the per-target limits")),
  VEDETTE_OWN_PORTS: Type.Optional(Setting.text('Ports of our own processes on this machine, never a target')),
  VEDETTE_LIMITS: Setting.onOff('off: no per-target limits', 'on'),
  VEDETTE_CACHE: Setting.onOff('off: no DNS cache', 'on'),
  VEDETTE_OPS_HOST: Setting.text('Address of /metrics, /healthz, /readyz', '127.0.0.1'),
  VEDETTE_OPS_PORT: Type.Optional(Setting.port('Port of them; unset = no listener')),
  VEDETTE_LOG_LEVEL: Setting.logLevel,
});

/** The agent's configuration: settings by name, and the files and lists they stand for, read once. */
export interface AgentConfig {
  settings: Readonly<Static<typeof Settings>>;
  agent: string;
  /** The agent only pretends to be in its place (`--simulated`). */
  simulated: boolean;
  /** Text of the credentials file. */
  credentials: string | undefined;
  /** Undefined: the machine's own. */
  resolvers: Endpoint[] | undefined;
  allowNets: string[];
  ownTargets: string[];
  ownPorts: number[];
  ca: string[];
  exits: VpnExit[];
  witnesses: string[];
}

/** Root servers a, b and c (https://www.iana.org/domains/root/servers). */
const ROOT_SERVERS = '198.41.0.4,170.247.170.2,192.33.4.12';

/** Reads the environment and the arguments; throws one Error that names everything wrong with them. */
export function readConfig(env: Record<string, string | undefined>, args: readonly string[]): AgentConfig {
  const problems = new SettingProblems();
  const attempt = problems.attempt.bind(problems);
  const file = (name: string) => (env[name] ? readFileSync(env[name], 'utf8') : undefined);
  const settings = attempt('settings', () => readSettings(Settings, env), undefined);
  const unknown = args.filter((arg) => arg !== '--simulated');
  if (unknown.length > 0) problems.add(`unknown argument: ${unknown.join(' ')}`);
  const config = {
    simulated: args.includes('--simulated'),
    credentials: attempt('VEDETTE_NATS_CREDS', () => file('VEDETTE_NATS_CREDS'), undefined),
    resolvers: attempt('VEDETTE_RESOLVERS', () => (env.VEDETTE_RESOLVERS ? parseEndpoints(env.VEDETTE_RESOLVERS) : undefined), undefined),
    allowNets: attempt('VEDETTE_ALLOW_NETS', () => cidrsOf('VEDETTE_ALLOW_NETS', env.VEDETTE_ALLOW_NETS), []),
    ownTargets: listOf(env.VEDETTE_OWN_TARGETS),
    ownPorts: attempt('VEDETTE_OWN_PORTS', () => portsOf(env.VEDETTE_OWN_PORTS), []),
    ca: attempt('VEDETTE_CA_FILE', () => caOf(file('VEDETTE_CA_FILE')), []),
    exits: attempt('VEDETTE_VPN_EXITS', () => exitsOf(env.VEDETTE_VPN_EXITS, env.VEDETTE_LOCATION), []),
    // Empty is not unset here: it means no self-test.
    witnesses: attempt('VEDETTE_WITNESSES', () => addressesOf(env.VEDETTE_WITNESSES ?? ROOT_SERVERS), []),
  };
  problems.throwIfAny();
  return Object.freeze({ settings: settings!, agent: settings!.VEDETTE_AGENT_ID ?? `agent-${randomBytes(5).toString('hex')}`, ...config });
}

const caOf = (pem: string | undefined): string[] => (pem === undefined ? [] : readCa(pem));

function addressesOf(value: string): string[] {
  const addresses = listOf(value);
  const bad = addresses.filter((address) => parseIp(address) === undefined);
  if (bad.length > 0) throw new Error(`not an address: ${bad.join(', ')}`);
  return addresses;
}

/** An exit that names another location is not ours. */
const exitsOf = (value: string | undefined, location: string | undefined): VpnExit[] =>
  parseVpnExits(value ?? '').filter((exit) => exit.location === undefined || exit.location === location);
