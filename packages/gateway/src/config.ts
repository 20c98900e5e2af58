import { readFileSync } from 'node:fs';
import { cidrsOf, type Endpoint, listOf, portsOf, readSettings, Setting, SettingProblems, type TrustAnchor } from '@vedette/contract';
import { parseTrustAnchors } from '@vedette/intel';
import { parseEndpoints, readCa } from '@vedette/probes';
import { Type, type Static } from 'typebox';
import { type Catalogue, readCatalogue } from './locations.ts';

export const Settings = Type.Object({
  VEDETTE_HOST: Setting.text('Address of the API listener', '127.0.0.1'),
  VEDETTE_PORT: Setting.port('Port of the API listener; 0 = any free one', '8080'),
  VEDETTE_TLS_CERT_FILE: Type.Optional(Setting.text('PEM certificate chain: HTTPS by the gateway itself')),
  VEDETTE_TLS_KEY_FILE: Type.Optional(Setting.text('PEM key of that certificate')),
  VEDETTE_TRUSTED_PROXIES: Type.Optional(Setting.text('CIDRs whose X-Forwarded-For counts')),
  VEDETTE_CORS_ORIGINS: Type.Optional(Setting.text('Allowed origins')),
  VEDETTE_OPS_HOST: Setting.text('Address of /metrics, /healthz, /readyz, /admin', '127.0.0.1'),
  VEDETTE_OPS_PORT: Setting.port('Port of them', '9464'),
  VEDETTE_ADMIN_TOKEN: Type.Optional(Setting.text('Opens /admin; unset = random, kept in the data dir')),
  VEDETTE_DATA_DIR: Setting.text('Embedded database, keys', './data'),
  VEDETTE_DATABASE_URL: Type.Optional(Setting.text('PostgreSQL; unset = our own server in the data dir')),
  VEDETTE_NATS_URL: Setting.text('Bus', 'nats://127.0.0.1:4222'),
  VEDETTE_NATS_CREDS: Type.Optional(Setting.text('File with an nkey seed or a .creds file')),
  VEDETTE_BOOTSTRAP_KEY: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{8,128}$', description: 'API key valid at every start' })),
  VEDETTE_BOOTSTRAP_CREDITS: Type.String({ pattern: '^\\d{1,12}$', default: '1000000', description: 'Its monthly credits' }),
  VEDETTE_LOCATIONS_FILE: Type.Optional(Setting.text('Catalogue of locations, JSON')),
  VEDETTE_RESOLVERS: Type.Optional(Setting.text('ip[:port],… that the DNS engine asks')),
  VEDETTE_ALLOW_NETS: Type.Optional(Setting.text('CIDRs let through although special-purpose')),
  VEDETTE_CA_FILE: Type.Optional(Setting.text("PEM roots trusted beside Mozilla's")),
  VEDETTE_TRUST_ANCHOR_FILE: Type.Optional(Setting.text('DNSSEC root anchors')),
  VEDETTE_V1: Setting.onOff('The deprecated v1 paths', 'off'),
  VEDETTE_CACHE: Setting.onOff('off: no answer from a cache of ours', 'on'),
  VEDETTE_LIMITS: Setting.onOff('off: no rate limits', 'on'),
  VEDETTE_LOG_LEVEL: Setting.logLevel,
  VEDETTE_READY_AGENTS: Type.String({
    pattern: '^\\d{1,4}$',
    default: '0',
    description: 'Agents without which /readyz is 503 (set by `npm start`)',
  }),
  VEDETTE_OWN_PORTS: Type.Optional(Setting.text('Ports of our own processes on this machine, never a target')),
});

export type GatewaySettings = Static<typeof Settings>;

/** The gateway's configuration: settings by name, and the files and lists they stand for, read once. */
export interface GatewayConfig {
  settings: Readonly<GatewaySettings>;
  /** Text of the credentials file. */
  credentials: string | undefined;
  catalogue: Catalogue;
  /** Undefined: the machine's own. */
  resolvers: Endpoint[] | undefined;
  allowNets: string[];
  trustedProxies: string[];
  corsOrigins: string[];
  ownPorts: number[];
  ca: string[];
  /** Undefined: IANA's. */
  trustAnchors: TrustAnchor[] | undefined;
}

/** Reads the environment; throws one Error that names everything wrong with it. */
export function readConfig(env: Record<string, string | undefined>): GatewayConfig {
  const problems = new SettingProblems();
  const attempt = problems.attempt.bind(problems);
  /** Reads the setting, or the file that it names, with `parse`; undefined where it is unset or wrong. */
  const setting = <T>(name: keyof GatewaySettings, parse: (text: string) => T): T | undefined => {
    const text = env[name] ?? '';
    return text === '' ? undefined : attempt(name, () => parse(text), undefined);
  };
  const file = <T>(name: keyof GatewaySettings, parse: (text: string) => T) => setting(name, (path) => parse(readFileSync(path, 'utf8')));
  const cidrs = (name: keyof GatewaySettings) => setting(name, (value) => cidrsOf(name, value)) ?? [];

  const settings = attempt('settings', () => readSettings(Settings, env), undefined);
  if (!env.VEDETTE_TLS_CERT_FILE !== !env.VEDETTE_TLS_KEY_FILE) problems.add('VEDETTE_TLS_CERT_FILE and VEDETTE_TLS_KEY_FILE go together');
  const config = {
    credentials: file('VEDETTE_NATS_CREDS', String),
    catalogue: file('VEDETTE_LOCATIONS_FILE', readCatalogue) ?? readCatalogue(undefined),
    resolvers: setting('VEDETTE_RESOLVERS', parseEndpoints),
    allowNets: cidrs('VEDETTE_ALLOW_NETS'),
    trustedProxies: cidrs('VEDETTE_TRUSTED_PROXIES'),
    corsOrigins: listOf(env.VEDETTE_CORS_ORIGINS),
    ownPorts: setting('VEDETTE_OWN_PORTS', portsOf) ?? [],
    ca: file('VEDETTE_CA_FILE', readCa) ?? [],
    trustAnchors: file('VEDETTE_TRUST_ANCHOR_FILE', parseTrustAnchors),
  };
  problems.throwIfAny();
  return Object.freeze({ settings: settings!, ...config });
}
