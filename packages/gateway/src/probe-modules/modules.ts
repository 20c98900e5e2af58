import type { DnsModuleOptions } from '@vedette/probes/dns';
import type { HttpModuleOptions } from '@vedette/probes/http';
import type { PingOptions } from '@vedette/probes/ping';
import { TRACE_DEFAULTS as TRACE_OPTIONS, type TraceOptions } from '@vedette/probes/trace';

/** 0: over IPv4 where the host has it, else over IPv6. */
export type Family = 0 | 4 | 6;

/** The members of every module. */
interface ModuleHead {
  /** The name in `module=`. */
  name: string;
  /** Over IPv6 where the host has it, else over IPv4; false where the module has a family. */
  ipv6First: boolean;
  /** How long it may take; undefined where the file does not say. */
  timeoutMs: number | undefined;
}

/** A pattern, in the syntax of RE2, and whether it is its presence or its absence that fails the probe. */
export interface Pattern {
  regexp: string;
  fails: 'present' | 'absent';
}

export interface HeaderPattern extends Pattern {
  /** Its name in lower case. */
  header: string;
  allowMissing: boolean;
}

/** The proxy of a module. */
export interface ModuleProxy {
  url: string;
  /** Sent to the proxy alone. */
  headers: Readonly<Record<string, string>>;
  /** Hosts that are asked without it. */
  except: readonly string[];
}

/** Client credentials of a module. */
export interface ModuleOAuth2 {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scopes: readonly string[];
  parameters: Readonly<Record<string, string>>;
}

export interface HttpModule extends ModuleHead {
  prober: 'http';
  /** The module is to follow up to ten redirects where `max_redirects` is absent. */
  options: HttpModuleOptions;
  body: string | undefined;
  /** The coding that the answer's body must be in. */
  compression: 'gzip' | 'deflate' | 'br' | undefined;
  /** The limit of the answer's body, unpacked. */
  bodyMaxBytes: number | undefined;
  proxy: ModuleProxy | undefined;
  oauth2: ModuleOAuth2 | undefined;
  verifyCertificate: boolean;
  /** The name that the certificate must have; undefined: the URL's host. */
  serverName: string | undefined;
  /** Empty: 2xx. */
  validStatusCodes: readonly number[];
  /** Versions such as `HTTP/2.0`; empty: all. */
  validHttpVersions: readonly string[];
  failIfTls: boolean;
  failIfNotTls: boolean;
  bodyPatterns: readonly Pattern[];
  headerPatterns: readonly HeaderPattern[];
}

export interface IcmpModule extends ModuleHead {
  prober: 'icmp';
  options: PingOptions;
}

/** The conditions on the records of one section. */
export interface RecordRules {
  failIfMatches: readonly RegExp[];
  failIfAllMatch: readonly RegExp[];
  failIfNotMatches: readonly RegExp[];
  failIfNoneMatches: readonly RegExp[];
}

export interface DnsModule extends ModuleHead {
  prober: 'dns';
  options: DnsModuleOptions;
  /** The name that a target, a server, is asked for. Undefined: the target is the name, and the resolvers of the location are asked. */
  queryName: string | undefined;
  /** A type as the DNS names it. */
  queryType: string;
  validRcodes: readonly string[];
  answer: RecordRules;
  authority: RecordRules;
  additional: RecordRules;
}

/** An entry of `query_response`. */
export interface TcpStep {
  /** A pattern in the syntax of RE2. */
  expect: string | undefined;
  labels: readonly { name: string; value: string }[];
  expectBytes: Uint8Array | undefined;
  send: Uint8Array | undefined;
  startTls: boolean;
}

type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

/** `tls_config` of a module. */
export interface ModuleTls {
  verifyCertificate: boolean;
  /** The name that the certificate must have; undefined: the target's host. */
  serverName: string | undefined;
  /** Certificates and keys in PEM. */
  terms: Readonly<
    Record<'roots' | 'certificate' | 'key', string | undefined> & Record<'minVersion' | 'maxVersion', TlsVersion | undefined>
  >;
}

export interface TcpModule extends ModuleHead, ModuleTls {
  prober: 'tcp';
  family: Family;
  tls: boolean;
  steps: readonly TcpStep[];
}

/** The path to a target: a prober of ours. */
export interface TraceModule extends ModuleHead {
  prober: 'trace';
  options: TraceOptions;
}

export type ProbeModule = HttpModule | IcmpModule | DnsModule | TcpModule | TraceModule;

/** Header fields without secrets. */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'host',
  'origin',
  'referer',
  'user-agent',
]);

/** Words of a login, in what a tcp module sends. */
const LOGIN = /pass|auth|login|token|secret|key/i;

/** Whether a target, which the scraping client may choose, is sent what may be the operator's secret: a password, a token, a cookie. */
export const sendsSecrets = (module: ProbeModule): boolean =>
  module.prober === 'tcp' ? module.steps.some(({ send }) => LOGIN.test(Buffer.from(send ?? []).toString('latin1'))) : sendsFields(module);

const sendsFields = (module: Exclude<ProbeModule, TcpModule>): boolean =>
  module.prober === 'http' &&
  (module.oauth2 !== undefined || Object.keys(module.options.headers ?? {}).some((name) => !PUBLIC_FIELDS.has(name.toLowerCase())));

/** Something that blackbox_exporter can do, and we cannot. */
export interface Unsupported {
  module: string;
  /** Counts from 1. */
  line: number;
  /** Its kind, as in the file. */
  what: string;
}

/** The modules of `GET /probe`. */
export interface ProbeModules {
  modules: ReadonlyMap<string, ProbeModule>;
  /** Modules of the file that cannot be run, by name. */
  unsupported: ReadonlyMap<string, Unsupported>;
}

/** The notes about modules for the operator at the start. */
export const unsupportedModules = ({ unsupported }: ProbeModules): string[] =>
  [...unsupported.values()].map(
    ({ module, line, what }) => `VEDETTE_PROBE_FILE: module ${module} is left out, since /probe cannot do ${what} (line ${line})`,
  );

const NO_RULES: RecordRules = { failIfMatches: [], failIfAllMatch: [], failIfNotMatches: [], failIfNoneMatches: [] };

/** The modules that others begin as. */
export const HTTP_DEFAULTS: HttpModule = {
  name: 'http',
  prober: 'http',
  timeoutMs: undefined,
  options: {},
  ipv6First: false,
  body: undefined,
  compression: undefined,
  bodyMaxBytes: undefined,
  proxy: undefined,
  oauth2: undefined,
  verifyCertificate: true,
  serverName: undefined,
  validStatusCodes: [],
  validHttpVersions: [],
  failIfTls: false,
  failIfNotTls: false,
  bodyPatterns: [],
  headerPatterns: [],
};
export const ICMP_DEFAULTS: IcmpModule = {
  name: 'icmp',
  prober: 'icmp',
  ipv6First: false,
  timeoutMs: undefined,
  options: {},
};
export const TRACE_DEFAULTS: TraceModule = {
  name: 'trace',
  prober: 'trace',
  ipv6First: false,
  timeoutMs: undefined,
  options: TRACE_OPTIONS,
};
export const DNS_DEFAULTS: DnsModule = {
  name: 'dns',
  prober: 'dns',
  ipv6First: false,
  timeoutMs: undefined,
  options: {},
  queryName: undefined,
  queryType: 'A',
  validRcodes: ['NOERROR'],
  answer: NO_RULES,
  authority: NO_RULES,
  additional: NO_RULES,
};

export const TCP_DEFAULTS: TcpModule = {
  name: 'tcp',
  prober: 'tcp',
  timeoutMs: undefined,
  family: 0,
  ipv6First: false,
  tls: false,
  verifyCertificate: true,
  serverName: undefined,
  terms: { roots: undefined, certificate: undefined, key: undefined, minVersion: undefined, maxVersion: undefined },
  steps: [],
};

/** The built-in modules; a module of the file with the same name replaces one. */
const BUILT_IN: readonly ProbeModule[] = [
  { ...HTTP_DEFAULTS, name: 'http_2xx' },
  HTTP_DEFAULTS,
  ICMP_DEFAULTS,
  { ...ICMP_DEFAULTS, name: 'ping' },
  DNS_DEFAULTS,
  { ...TCP_DEFAULTS, name: 'tcp_connect' },
  TRACE_DEFAULTS,
];

const byName = <T>(all: readonly T[], name: (one: T) => string): Map<string, T> => new Map(all.map((one) => [name(one), one]));

/** The modules of a file, and the built-in ones that it does not name. */
export function withBuiltIn(own: readonly ProbeModule[], unsupported: readonly Unsupported[]): ProbeModules {
  const named = new Set([...own.map(({ name }) => name), ...unsupported.map(({ module }) => module)]);
  const kept = BUILT_IN.filter(({ name }) => !named.has(name));
  return { modules: byName([...kept, ...own], ({ name }) => name), unsupported: byName(unsupported, ({ module }) => module) };
}
