import { parseWebUrl } from '@vedette/contract';
import { parseProxyUrl } from '@vedette/probes/http';
import type { ModuleOAuth2, ModuleProxy } from './modules.ts';
import { type Shared, UnsupportedKey, unsupportedKeys } from './section-parts.ts';
import { FileProblem, quoted, type Section } from './yaml-section.ts';

/** A token of RFC 9110 §5.6.2. */
export const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,64}$/;

/** A field, and where it stands in the file. */
interface GivenField {
  field: string;
  text: string;
  line: number;
}

/** The fields that a module sends, credentials among them. Throws a `FileProblem` where one is given twice, by whatever keys. */
export function headersOf(section: Section, shared: Shared): Record<string, string> {
  const headers = new Map<string, string>();
  for (const { field, text, line } of [...plainHeaders(section), ...furtherHeaders(section, shared), ...authorizationOf(section, shared)]) {
    if (headers.has(field)) throw new FileProblem(line, `the header ${field} is there twice`);
    headers.set(field, text);
  }
  return Object.fromEntries(headers);
}

function plainHeaders(section: Section): GivenField[] {
  const given = section.section('headers');
  return given.keys().map((name) => {
    const field = name.toLowerCase();
    if (!FIELD_NAME.test(field)) throw new FileProblem(given.lineOf(name), `headers: ${quoted(name)} is no name of a header`);
    return { field, text: given.text(name)!, line: given.lineOf(name) };
  });
}

/** Fields that have keys of their own: blackbox_exporter does not start with them among `http_headers`. */
const RESERVED = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'user-agent',
  'www-authenticate',
]);

/** `http_headers`, since 0.26: values, secrets and files of each field, which are sent as one list (RFC 9110 §5.3). */
function furtherHeaders(section: Section, shared: Shared): GivenField[] {
  const given = section.section('http_headers');
  return given.keys().map((name) => {
    const field = name.toLowerCase();
    if (!FIELD_NAME.test(field) || RESERVED.has(field)) throw new UnsupportedKey(given.lineOf(name), `http_headers: ${quoted(name)}`);
    const parts = given.section(name);
    const files = parts.texts('files').map((file) => fileOf(parts, 'files', () => shared.readFile(file).trim()));
    const values = [...parts.texts('values'), ...parts.texts('secrets'), ...files];
    parts.end();
    return { field, text: values.join(', '), line: given.lineOf(name) };
  });
}

/** The field of the credentials, if any. */
function authorizationOf(section: Section, shared: Shared): GivenField[] {
  const ways = ['bearer_token', 'bearer_token_file', 'basic_auth', 'authorization'].filter((key) => section.has(key));
  const token = secret(section, 'bearer_token', shared);
  const basic = section.section('basic_auth');
  const username = secret(basic, 'username', shared) ?? '';
  const password = secret(basic, 'password', shared) ?? '';
  basic.end();
  const named = section.section('authorization');
  const type = named.text('type') ?? 'Bearer';
  const credentials = secret(named, 'credentials', shared);
  named.end();
  const [first = '', second] = ways;
  if (second !== undefined && second !== `${first}_file`)
    throw new FileProblem(section.lineOf(second), `${first} and ${second} exclude each other`);
  const authorization = (text: string): GivenField[] => [{ field: 'authorization', text, line: section.lineOf(first) }];
  if (token !== undefined) return authorization(`Bearer ${token}`);
  if (credentials !== undefined) return authorization(`${type} ${credentials}`);
  return section.has('basic_auth') ? authorization(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`) : [];
}

/** A secret, or the file that holds it. */
function secret(section: Section, key: string, { readFile }: Shared): string | undefined {
  const fileKey = `${key}_file`;
  const [text, file] = [section.text(key), section.text(fileKey)];
  if (file === undefined) return text;
  if (text !== undefined) throw new FileProblem(section.lineOf(fileKey), `${key} and ${fileKey} exclude each other`);
  return fileOf(section, fileKey, () => readFile(file).trim());
}

/** The text of a file. Throws `UnsupportedKey` where it cannot be read: blackbox_exporter starts without it, too. */
export function fileOf(section: Section, key: string, read: () => string): string {
  try {
    return read();
  } catch (error) {
    throw new UnsupportedKey(section.lineOf(key), `${key} (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`);
  }
}

/** The ports of Go for a proxy's URL without one. */
const PROXY_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, socks5: 1080 };

/** `proxy_url`, with the keys about it. */
export function proxyOf(section: Section): ModuleProxy | undefined {
  const text = section.text('proxy_url') || undefined;
  const except = (section.text('no_proxy') ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
  section.flag('skip_resolve_phase_with_proxy'); // the name is always resolved here, to be judged
  const given = section.section('proxy_connect_header');
  const headers = Object.fromEntries(
    given.keys().map((name): [string, string] => {
      if (!FIELD_NAME.test(name.toLowerCase())) throw new UnsupportedKey(given.lineOf(name), `proxy_connect_header: ${quoted(name)}`);
      return [name.toLowerCase(), given.texts(name).join(', ')];
    }),
  );
  if (text === undefined) return undefined;
  const range = except.find((each) => /[/*:]/.test(each));
  if (range !== undefined) throw new UnsupportedKey(section.lineOf('no_proxy'), `no_proxy: ${quoted(range)}`);
  const [scheme = ''] = text.toLowerCase().split(':', 1);
  const url = /:\d+\/?$/.test(text) ? text : `${text.replace(/\/$/, '')}:${PROXY_PORTS[scheme] ?? ''}`;
  if (!parseProxyUrl(url))
    throw new UnsupportedKey(section.lineOf('proxy_url'), 'proxy_url, which must be http://, https:// or socks5:// with a host');
  return { url, headers, except: except.map((each) => each.toLowerCase().replace(/^\./, '')) };
}

/** `oauth2`, by client credentials. */
export function oauth2Of(section: Section, shared: Shared): ModuleOAuth2 | undefined {
  if (!section.has('oauth2')) return undefined;
  const given = section.section('oauth2');
  unsupportedKeys(given, ['proxy_url', 'proxy_from_environment', 'no_proxy', 'proxy_connect_header', 'tls_config']);
  const tokenUrl = given.text('token_url') ?? '';
  if (!parseWebUrl(tokenUrl)) throw new FileProblem(given.lineOf('token_url'), 'token_url must be an http or https URL');
  const parameters = given.section('endpoint_params');
  const oauth2 = {
    tokenUrl,
    clientId: given.text('client_id') ?? '',
    clientSecret: secret(given, 'client_secret', shared) ?? '',
    scopes: given.texts('scopes'),
    parameters: Object.fromEntries(parameters.keys().map((name): [string, string] => [name, parameters.text(name)!])),
  };
  given.end();
  return oauth2;
}
