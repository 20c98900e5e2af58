import { readCredentials } from '@vedette/bus';
import { type ExitEndpoint, listOf, parseHttpUrl, type TrustAnchor } from '@vedette/contract';
import { DEFAULT_FEEDS, type FeedSettings, readFeedSettings } from '@vedette/intel/datasets';
import { ENGINE_CATALOGUE, type EngineCatalogue, readEngineCatalogue } from '@vedette/intel/engines';
import { parseTrustAnchors } from '@vedette/mail/dnssec';
import { readWhoisServer } from '@vedette/intel/registration';
import { parseEndpoints, readEndpoints } from '@vedette/probes/dns';
import { parseProxyUrl } from '@vedette/probes/http';
import { readCa } from '@vedette/probes/net';
import {
  ADMIN_SETTINGS,
  API_SETTINGS,
  assertStrongToken,
  BUS_PROCESS_SETTINGS,
  type BusProcessConfig,
  cidrsOf,
  DATABASE_SETTINGS,
  NAME_WITNESSES,
  readBusProcess,
  readDatabaseUrl,
  Setting,
  SettingsReader,
} from '@vedette/process/settings';
import { Type, type Static } from 'typebox';
import { type Catalogue, readCatalogue } from '../locations/locations.ts';
import { readSignIn, type SignIn, SIGN_IN_SETTINGS } from './sign-in.ts';
import { readProbeFile } from '../probe-modules/module-file.ts';
import { type ProbeModules, withBuiltIn } from '../probe-modules/modules.ts';

export const Settings = Type.Object({
  ...API_SETTINGS,
  ...ADMIN_SETTINGS,
  ...BUS_PROCESS_SETTINGS,
  VEDETTE_TLS_KEY_FILE: Type.Optional(Setting.text('PEM file of the private key of VEDETTE_TLS_CERT_FILE')),
  VEDETTE_TRUSTED_PROXIES: Type.Optional(Setting.text('CIDRs of the proxies whose X-Forwarded-For counts')),
  VEDETTE_CORS_ORIGINS: Type.Optional(Setting.text('Origins whose pages may call the API (CORS), as https://…,…')),
  ...DATABASE_SETTINGS,
  VEDETTE_AUDIT_DAYS: Type.String({
    title: 'a number of days, up to 3650',
    pattern: '^(\\d{1,3}|[12]\\d{3}|3[0-5]\\d\\d|36[0-4]\\d|3650)$',
    default: '30',
    description: 'How long the measurement log is kept, in days; 0 = there is none',
  }),
  VEDETTE_PASSIVE_DNS: Type.String({
    title: 'on, imports or off',
    pattern: '^(on|imports|off)$',
    default: 'on',
    description:
      'What passive DNS keeps: imports and names that several accounts asked about (on), imports alone, or nothing (off, which refuses requests for it)',
  }),
  VEDETTE_PARSER_SANDBOX: Type.String({
    title: 'best or required',
    pattern: '^(best|required)$',
    default: 'best',
    description:
      'What confines the parsers of messages: what this machine allows (best), or the whole sandbox alone (required: without it, requests with a message or a picture to read get a free 503)',
  }),
  VEDETTE_PARSER_FOLDER: Type.Optional(
    Setting.text(
      'Folder with the socket of a process of another user that runs the parsers of messages; unset = the gateway does (set by `npm start` as root)',
    ),
  ),
  VEDETTE_BOOTSTRAP_CREDITS: Type.String({
    title: 'a number of credits',
    pattern: '^\\d{1,12}$',
    default: '1000000',
    description: 'Monthly credits of VEDETTE_BOOTSTRAP_KEY',
  }),
  VEDETTE_LOCATIONS_FILE: Type.Optional(
    Setting.text(
      "JSON file of the locations: where each id is, and which ids are asked by default; unset = the names of the big clouds' regions",
    ),
  ),
  VEDETTE_TRUST_ANCHOR_FILE: Type.Optional(Setting.text("File of the DNSSEC trust anchors of the root; unset = IANA's two")),
  VEDETTE_FEEDS_FILE: Type.Optional(
    Setting.text('JSON file that changes, adds or turns off feeds (docs/datasets.md); unset = the catalogue that is built in'),
  ),
  VEDETTE_ENGINES_FILE: Type.Optional(
    Setting.text('JSON file that changes, adds or turns off blacklist engines (docs/engines.md); unset = the catalogue that is built in'),
  ),
  VEDETTE_NAME_WITNESSES: Type.Optional(NAME_WITNESSES),
  VEDETTE_QUIC_WITNESSES: Type.Optional(
    Setting.text(
      'QUIC servers, as ip[:port],…, whose answers prove that datagrams of this machine arrive, when every HTTP/3 server of a request is silent; unset = port 443 of 1.1.1.1 and 8.8.8.8 and their IPv6 addresses, and none where VEDETTE_WITNESSES is empty',
    ),
  ),
  VEDETTE_PROBE_FILE: Type.Optional(
    Setting.text(
      "Modules of `/probe`, a YAML file in blackbox_exporter's form (docs/probe.md), beside the built-in ones: http_2xx, icmp, dns, tcp_connect, trace, ssl_info and security_headers",
    ),
  ),
  VEDETTE_RDAP_BOOTSTRAP: Type.String({
    title: 'an https URL (http for a laboratory)',
    pattern: '^https?://[^\\s?#]+$',
    default: 'https://data.iana.org/rdap',
    description: 'Base URL of the RDAP bootstrap files, dns.json and asn.json',
  }),
  VEDETTE_WHOIS_SERVER: Type.String({
    title: 'host[:port]',
    pattern: '^(\\[[0-9A-Fa-f:.]+\\]|[^\\s:/@\\[\\]]{1,255})(:\\d{1,5})?$',
    default: 'whois.iana.org',
    description: 'Where WHOIS referral starts, for domains without RDAP',
  }),
  VEDETTE_TOR_SOCKS: Type.Optional(
    Setting.text(
      'SOCKS5 port of a Tor client, as host:port, by which URLs are visited through Tor; a name must lead to a public address or into VEDETTE_ALLOW_NETS. Unset = such requests get a free 503',
    ),
  ),
  VEDETTE_PORT_SCAN: Setting.onOff('Whether TCP ports of hosts may be scanned, by accounts whose plan includes that', 'off'),
  ...SIGN_IN_SETTINGS,
  VEDETTE_DOCS: Setting.onOff(
    'Whether there are the console at / and the reference page at /docs, and the API description needs no key',
    'on',
  ),
  VEDETTE_V1: Setting.onOff('Whether the deprecated v1 paths are served', 'off'),
  VEDETTE_READY_AGENTS: Type.String({
    title: 'a number of agents',
    pattern: '^\\d{1,4}$',
    default: '0',
    description: 'Number of agents without which /readyz is 503 (set by `npm start`)',
  }),
});

export type GatewaySettings = Static<typeof Settings>;

/** The gateway's configuration: settings by name, and the files and lists they stand for, read once. */
export interface GatewayConfig extends BusProcessConfig {
  settings: Readonly<GatewaySettings>;
  /** Connection string, the password in it. Undefined: our own server. */
  databaseUrl: string | undefined;
  catalogue: Catalogue;
  feeds: FeedSettings;
  engines: EngineCatalogue;
  /** The modules of `GET /probe`. */
  probeModules: ProbeModules;
  trustedProxies: string[];
  corsOrigins: string[];
  /** Undefined: IANA's. */
  trustAnchors: TrustAnchor[] | undefined;
  /** The SOCKS5 port of Tor, for tor-test. */
  torSocks: ExitEndpoint | undefined;
  /** How people sign in; undefined: by API keys alone. */
  signIn: SignIn | undefined;
}

/** Reads the environment; throws one `StartError` that names everything wrong with it. */
export function readConfig(env: Record<string, string | undefined>): GatewayConfig {
  const reader = new SettingsReader(env);
  if (!env.VEDETTE_TLS_CERT_FILE !== !env.VEDETTE_TLS_KEY_FILE)
    reader.problem('VEDETTE_TLS_CERT_FILE and VEDETTE_TLS_KEY_FILE go together');
  reader.value('VEDETTE_ADMIN_TOKEN', assertStrongToken);
  reader.value('VEDETTE_RDAP_BOOTSTRAP', assertBaseUrl);
  reader.value('VEDETTE_WHOIS_SERVER', assertWhoisServer);
  const bus = readBusProcess(reader, { credentials: readCredentials, resolvers: parseEndpoints, endpoints: readEndpoints, ca: readCa });
  const config = {
    ...bus,
    witnesses: { ...bus.witnesses, icmp: [] }, // gateways send no echoes
    databaseUrl: readDatabaseUrl(reader),
    catalogue: reader.file('VEDETTE_LOCATIONS_FILE', readCatalogue) ?? readCatalogue(undefined),
    feeds: reader.file('VEDETTE_FEEDS_FILE', readFeedSettings) ?? DEFAULT_FEEDS,
    engines: reader.file('VEDETTE_ENGINES_FILE', readEngineCatalogue) ?? ENGINE_CATALOGUE,
    probeModules: reader.file('VEDETTE_PROBE_FILE', readProbeFile) ?? withBuiltIn([], []),
    trustedProxies: reader.value('VEDETTE_TRUSTED_PROXIES', cidrsOf) ?? [],
    corsOrigins: listOf(env.VEDETTE_CORS_ORIGINS),
    trustAnchors: reader.file('VEDETTE_TRUST_ANCHOR_FILE', parseTrustAnchors),
    torSocks: reader.value('VEDETTE_TOR_SOCKS', readTorSocks),
    signIn: readSignIn(reader),
  };
  return Object.freeze({ settings: reader.finish(Settings), ...config });
}

/** A text that matches the setting's pattern need not be a usable URL. */
function assertBaseUrl(text: string): void {
  if (/^https?:/.test(text) && !parseHttpUrl(text)) throw new Error('not a URL without user and with a port that there is');
}

function readTorSocks(text: string): ExitEndpoint {
  const proxy = /[@/]/.test(text) ? undefined : parseProxyUrl(`socks5://${text}`);
  if (!proxy) throw new Error('not a host:port without user');
  return { host: proxy.host, port: proxy.port };
}

function assertWhoisServer(text: string): void {
  if (!readWhoisServer(text)) throw new Error('not a host[:port] with a dot in its name and a port that there is');
}
