import { readFileSync } from 'node:fs';
import { type Endpoint, ID_PATTERN, listOf, parseCidr } from '@vedette/contract';
import { type Static, type TObject, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { StartError } from './start-error.ts';
import { readWitnesses, type Witnesses } from './witnesses.ts';

/**
 * How a setting is declared: values are strings, as the environment has them; `title` says what a value must be, in an error.
 * docs/settings.md is generated from these.
 */
export const Setting = {
  port: (description: string, fallback?: string) =>
    Type.String({
      title: 'a port, 0 to 65535',
      pattern: '^(0|[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])$',
      ...(fallback !== undefined && { default: fallback }),
      description,
    }),
  text: (description: string, fallback?: string) => Type.String({ description, ...(fallback !== undefined && { default: fallback }) }),
  onOff: (description: string, fallback: 'on' | 'off') =>
    Type.String({ title: 'on or off', pattern: '^(on|off)$', default: fallback, description }),
};

/** Settings that gateway and agent both have. */
export const BUS_PROCESS_SETTINGS = {
  VEDETTE_NATS_URL: Setting.text('URL of the message bus', 'nats://127.0.0.1:4222'),
  VEDETTE_NATS_CREDS: Type.Optional(Setting.text('File with the key for the message bus: an nkey seed, or a .creds file')),
  VEDETTE_NATS_CA_FILE: Type.Optional(
    Setting.text(
      'PEM file of the root certificates that the message bus must have its certificate from, and those alone; unset = those that Node trusts',
    ),
  ),
  VEDETTE_RESOLVERS: Type.Optional(
    Setting.text(
      "Resolvers that are asked for names, as ip[:port],…; unset = the system's. The public ones among them are asked through VPN exits too",
    ),
  ),
  VEDETTE_WITNESSES: Type.Optional(
    Setting.text(
      'Addresses of name servers that know the root: their answers prove that gateway or agent reach the Internet, each for its family; unset = three root servers over IPv4 and IPv6, empty = no self-test, of these or of the resolvers. Inner addresses are asked only within VEDETTE_ALLOW_NETS',
    ),
  ),
  VEDETTE_TCP_WITNESSES: Type.Optional(
    Setting.text(
      'Servers that accept connections, as ip[:port],… (port 443), which prove that connections of this machine work; unset = port 53 of VEDETTE_WITNESSES, and where these are unset as well port 443 of 1.1.1.1, 8.8.8.8, 9.9.9.9 and their IPv6 addresses',
    ),
  ),
  VEDETTE_ALLOW_NETS: Type.Optional(Setting.text('CIDRs that may be contacted although they are special-purpose')),
  VEDETTE_CA_FILE: Type.Optional(Setting.text("PEM file of root certificates trusted beside Mozilla's")),
  VEDETTE_CACHE: Setting.onOff('Whether DNS answers are kept and used again', 'on'),
  VEDETTE_LIMITS: Setting.onOff('Whether rate limits and per-target limits hold', 'on'),
  VEDETTE_OWN_TARGETS: Type.Optional(
    Setting.text("The operator's own names, with all below them, and CIDRs: spared by the per-target limits (docs/target-rates.md)"),
  ),
  VEDETTE_LOG_LEVEL: Type.String({
    title: 'fatal, error, warn, info, debug, trace or silent',
    pattern: '^(fatal|error|warn|info|debug|trace|silent)$',
    default: 'info',
    description: 'Least level that is logged: fatal, error, warn, info, debug, trace or silent',
  }),
  VEDETTE_CONTACT: Type.Optional(
    Type.String({
      title: 'a URL (http or https) or an e-mail address, at most 200 characters of ASCII without blanks, brackets, quotes and semicolons',
      pattern: '^(?=.{5,200}$)(https?://|(mailto:)?[\\w.+-]+@)[\\w.~:/?#@!$&*+,=%-]+$',
      description: 'Whom to ask about what we send, a URL or an e-mail address: in the User-Agent and, where it fits, in echo requests',
    }),
  ),
  VEDETTE_OWN_PORTS: Type.Optional(
    Setting.text('Ports of this machine that are never a target, beside those that our processes know of each other (set by `npm start`)'),
  ),
};

/** Settings of the operators' listener, which gateway and agent both have. */
export const OPS_SETTINGS = {
  VEDETTE_OPS_HOST: Setting.text(
    "Address of the operators' listener: /metrics, /healthz, /readyz and, at the gateway, /admin",
    '127.0.0.1',
  ),
  VEDETTE_OPS_PORT: Setting.port("Port of the operators' listener; agents and renderers have one only where this is set", '9464'),
};

/** Setting of an agent, and of `npm start`, whose one agent then is that place. */
export const LOCATION_ID = Type.String({
  title: 'an id of at most 64 letters, digits, - and _',
  pattern: ID_PATTERN,
  description: 'Id of the location where an agent stands: it must be set for an agent; under `npm start` unset = three pretended cities',
});

/** Setting that `npm start` and agents both have. */
export const NAME_WITNESSES = Setting.text(
  'Names with the same answer everywhere, at most 8: a location whose resolver has another one than this gateway and most locations is shown as such; unset = three of root-servers.net, and none where VEDETTE_WITNESSES is set',
);

export const VPN_EXITS = Setting.text(
  'VPN exits for vpn-test: `socks5://…,http://…,iface:wg0`, each with an optional `#location`; they must let DNS over TCP through (docs/agents.md)',
);

/** Settings of the gateway and of the CLI, which asks its operators' listener. */
export const ADMIN_SETTINGS = {
  ...OPS_SETTINGS,
  VEDETTE_DATA_DIR: Setting.text('Data directory: keys, the embedded database and copies of feeds', './data'),
  VEDETTE_ADMIN_TOKEN: Type.Optional(
    Setting.text('Token that opens /admin, at least 15 characters; unset = a random one, kept in the data directory'),
  ),
};

/** Settings of the gateway and of the CLI, which backs its database up. */
export const DATABASE_SETTINGS = {
  VEDETTE_DATABASE_URL: Type.Optional(Setting.text('Connection string of a PostgreSQL; unset = our own server in the data directory')),
  VEDETTE_DATABASE_PASSWORD_FILE: Type.Optional(
    Setting.text('File with the password of VEDETTE_DATABASE_URL, where that has none: so a secret need not be in the environment'),
  ),
};

/** Settings that `npm start` and the gateway both have. */
export const API_SETTINGS = {
  VEDETTE_HOST: Setting.text('Address of the API listener', '127.0.0.1'),
  VEDETTE_PORT: Setting.port('Port of the API listener; 0 = any free one', '8080'),
  VEDETTE_TLS_CERT_FILE: Type.Optional(Setting.text('PEM file of the certificate chain of the API listener, which then speaks HTTPS')),
  ...OPS_SETTINGS,
  VEDETTE_DATA_DIR: ADMIN_SETTINGS.VEDETTE_DATA_DIR,
  VEDETTE_BOOTSTRAP_KEY: Type.Optional(
    Type.String({
      title: '8 to 128 visible ASCII characters',
      pattern: '^[\\x21-\\x7e]{8,128}$',
      description: 'API key that is valid at every start; unset = a random one, kept in the data directory',
    }),
  ),
  VEDETTE_RENDERER: Setting.onOff('`off`: there is no browser, and what needs one (screenshots, PDFs, http-tracker) is a free 503', 'on'),
};

/**
 * Reads one process's settings from the environment: defaults filled in, empty values as if unset, the result frozen.
 * Throws one `StartError` whose message names every bad setting.
 */
export function readSettings<S extends TObject>(schema: S, env: Record<string, string | undefined>): Static<S> {
  const values: Record<string, string> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = env[name] ?? '';
    if (value !== '') values[name] = value;
    else if ('default' in property) values[name] = property.default as string;
  }
  const compiled = Compile(schema);
  if (!compiled.Check(values)) {
    const [, errors] = compiled.Errors(values);
    const problems = errors.map(({ instancePath, params }) => {
      if (instancePath === '') return `${(params as { requiredProperties?: string[] }).requiredProperties?.join(', ')} must be set`;
      const name = instancePath.slice(1);
      return `${name} must be ${(schema.properties[name] as { title?: string }).title}`;
    });
    throw new StartError([...new Set(problems)].join('\n'));
  }
  return Object.freeze(values) as Static<S>;
}

/** NIST SP 800-63B-4 §3.1.1.2, for what is a secret's only factor. */
const MIN_TOKEN_LENGTH = 15;
const MIN_TOKEN_VARIETY = 6;

/** Throws, telling how to make a better one, when an admin token is one that could be guessed. */
export function assertStrongToken(token: string): void {
  if (/^[\x21-\x7e]+$/.test(token) && token.length >= MIN_TOKEN_LENGTH && new Set(token).size >= MIN_TOKEN_VARIETY) return;
  throw new Error(
    `it can be guessed: at least ${MIN_TOKEN_LENGTH} visible ASCII characters are needed, ${MIN_TOKEN_VARIETY} of them different; \`openssl rand -base64 32\` makes a good one`,
  );
}

/** Splits a comma-separated setting of CIDRs; throws an error that names an invalid piece. */
export function cidrsOf(value: string): string[] {
  const cidrs = listOf(value);
  const bad = cidrs.filter((cidr) => !parseCidr(cidr));
  if (bad.length > 0) throw new Error(`not a CIDR: ${bad.join(', ')}`);
  return cidrs;
}

/** Splits a comma-separated setting of names and CIDRs; throws naming the piece that is neither. */
function targetsOf(value: string): string[] {
  const targets = listOf(value);
  const bad = targets.filter((target) => target.includes('/') && !parseCidr(target));
  if (bad.length > 0) throw new Error(`not a CIDR: ${bad.join(', ')}`);
  return targets;
}

/** Splits a comma-separated setting of ports; throws when a piece is invalid. */
function portsOf(value: string): number[] {
  const ports = listOf(value).map(Number);
  if (!ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536)) throw new Error(`not a list of ports: ${value}`);
  return ports;
}

/** The files and lists that BUS_PROCESS_SETTINGS stand for. */
export interface BusProcessConfig {
  /** Text of the credentials file. */
  credentials: string | undefined;
  /** Roots for the message bus alone; undefined: those that Node trusts. */
  busRoots: string[] | undefined;
  /** Undefined: the machine's own. */
  resolvers: Endpoint[] | undefined;
  witnesses: Witnesses;
  allowNets: string[];
  ownPorts: number[];
  ownTargets: string[];
  ca: string[];
}

/** Reads them. The forms of keys, resolvers and certificates are known elsewhere: their parsers come in. */
export const readBusProcess = (
  reader: SettingsReader,
  parsers: {
    credentials: (text: string, path: string) => string;
    resolvers: (text: string) => Endpoint[];
    endpoints: Parameters<typeof readWitnesses>[1];
    ca: (text: string) => string[];
  },
): BusProcessConfig => ({
  credentials: reader.file('VEDETTE_NATS_CREDS', parsers.credentials),
  busRoots: reader.file('VEDETTE_NATS_CA_FILE', parsers.ca),
  resolvers: reader.value('VEDETTE_RESOLVERS', parsers.resolvers),
  witnesses: readWitnesses(reader, parsers.endpoints),
  allowNets: reader.value('VEDETTE_ALLOW_NETS', cidrsOf) ?? [],
  ownPorts: reader.value('VEDETTE_OWN_PORTS', portsOf) ?? [],
  ownTargets: reader.value('VEDETTE_OWN_TARGETS', targetsOf) ?? [],
  ca: reader.file('VEDETTE_CA_FILE', parsers.ca) ?? [],
});

/** The connection string of DATABASE_SETTINGS, the password in it; undefined: our own server. */
export function readDatabaseUrl(reader: SettingsReader): string | undefined {
  const password = reader.file('VEDETTE_DATABASE_PASSWORD_FILE', (text) => text.trim());
  const url = reader.value('VEDETTE_DATABASE_URL', (text) => text);
  if (password === undefined) return url;
  const whole = URL.parse(url ?? '');
  if (whole && whole.password === '' && !whole.searchParams.has('password')) {
    // As a parameter: a URL whose host is the path of a socket can have no password elsewhere.
    whole.searchParams.set('password', password);
    return whole.href;
  }
  reader.problem('VEDETTE_DATABASE_PASSWORD_FILE wants a VEDETTE_DATABASE_URL without a password');
  return undefined;
}

/** Reads one process's environment and gathers what is wrong with it, so that all of it is told at once. */
export class SettingsReader {
  readonly #env: Record<string, string | undefined>;
  readonly #problems: string[] = [];

  constructor(env: Record<string, string | undefined>) {
    this.#env = env;
  }

  problem(text: string): void {
    this.#problems.push(text);
  }

  /** Whether a setting is there, if only to say that it is empty. */
  isSet(name: string): boolean {
    return this.#env[name] !== undefined;
  }

  /** The parsed value of one setting; undefined when it is unset or empty, or `parse` throws. */
  value<T>(name: string, parse: (text: string) => T): T | undefined {
    const text = this.#env[name] ?? '';
    try {
      return text === '' ? undefined : parse(text);
    } catch (error) {
      this.problem(`${name}: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** The parsed text of the file that a setting names; undefined as for `value`. */
  file<T>(name: string, parse: (text: string, path: string) => T): T | undefined {
    return this.value(name, (path) => parse(readFileSync(path, 'utf8'), path));
  }

  /** The settings of `schema` (see `readSettings`). Throws one `StartError` that names every problem, if there is any. */
  finish<S extends TObject>(schema: S): Static<S> {
    let settings: Static<S> | undefined;
    try {
      settings = readSettings(schema, this.#env);
    } catch (error) {
      this.#problems.unshift((error as Error).message);
    }
    if (this.#problems.length > 0) throw new StartError(this.#problems.join('\n'));
    return settings!;
  }
}
