import { readFileSync } from 'node:fs';
import {
  API_SETTINGS,
  BUS_PROCESS_SETTINGS,
  cidrsOf,
  type Endpoint,
  listOf,
  portsOf,
  Setting,
  SettingsReader,
  type TrustAnchor,
} from '@vedette/contract';
import { parseTrustAnchors } from '@vedette/intel/dnssec';
import { parseEndpoints } from '@vedette/probes/dns';
import { readCa } from '@vedette/probes/net';
import { Type, type Static } from 'typebox';
import { type Catalogue, readCatalogue } from './locations.ts';

export const Settings = Type.Object({
  ...API_SETTINGS,
  ...BUS_PROCESS_SETTINGS,
  VEDETTE_TLS_KEY_FILE: Type.Optional(Setting.text('PEM key of that certificate')),
  VEDETTE_TRUSTED_PROXIES: Type.Optional(Setting.text('CIDRs whose X-Forwarded-For counts')),
  VEDETTE_CORS_ORIGINS: Type.Optional(Setting.text('Allowed origins')),
  VEDETTE_ADMIN_TOKEN: Type.Optional(Setting.text('Opens /admin; unset = random, kept in the data dir')),
  VEDETTE_DATABASE_URL: Type.Optional(Setting.text('PostgreSQL; unset = our own server in the data dir')),
  VEDETTE_BOOTSTRAP_CREDITS: Type.String({
    title: 'a number of credits',
    pattern: '^\\d{1,12}$',
    default: '1000000',
    description: 'Monthly credits of VEDETTE_BOOTSTRAP_KEY',
  }),
  VEDETTE_LOCATIONS_FILE: Type.Optional(
    Setting.text("JSON: places by location id, and the ids asked by default; unset = the names of the big clouds' regions"),
  ),
  VEDETTE_TRUST_ANCHOR_FILE: Type.Optional(Setting.text("DNSSEC root anchors; unset = IANA's two")),
  VEDETTE_V1: Setting.onOff('The deprecated v1 paths', 'off'),
  VEDETTE_READY_AGENTS: Type.String({
    title: 'a number of agents',
    pattern: '^\\d{1,4}$',
    default: '0',
    description: 'Agents without which /readyz is 503 (set by `npm start`)',
  }),
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
  const reader = new SettingsReader(env);
  const file = <T>(name: keyof GatewaySettings, parse: (text: string) => T) =>
    reader.value(name, (path) => parse(readFileSync(path, 'utf8')));
  if (!env.VEDETTE_TLS_CERT_FILE !== !env.VEDETTE_TLS_KEY_FILE)
    reader.problem('VEDETTE_TLS_CERT_FILE and VEDETTE_TLS_KEY_FILE go together');
  const config = {
    credentials: file('VEDETTE_NATS_CREDS', String),
    catalogue: file('VEDETTE_LOCATIONS_FILE', readCatalogue) ?? readCatalogue(undefined),
    resolvers: reader.value('VEDETTE_RESOLVERS', parseEndpoints),
    allowNets: reader.value('VEDETTE_ALLOW_NETS', cidrsOf) ?? [],
    trustedProxies: reader.value('VEDETTE_TRUSTED_PROXIES', cidrsOf) ?? [],
    corsOrigins: listOf(env.VEDETTE_CORS_ORIGINS),
    ownPorts: reader.value('VEDETTE_OWN_PORTS', portsOf) ?? [],
    ca: file('VEDETTE_CA_FILE', readCa) ?? [],
    trustAnchors: file('VEDETTE_TRUST_ANCHOR_FILE', parseTrustAnchors),
  };
  return Object.freeze({ settings: reader.finish(Settings), ...config });
}
