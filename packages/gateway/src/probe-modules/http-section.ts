import { HTTP_DEFAULTS, type HeaderPattern, type HttpModule, type Pattern } from './modules.ts';
import { patternsOf, patternOf } from './patterns.ts';
import { familyOf, type Shared, UnsupportedKey, unsupportedKeys } from './section-parts.ts';
import { FileProblem, quoted, type Section } from './yaml-section.ts';

/** Keys of blackbox_exporter for what we cannot do. */
const UNSUPPORTED = [
  'body_file',
  'body_size_limit',
  'compression',
  'proxy_url',
  'proxy_from_environment',
  'no_proxy',
  'proxy_connect_header',
  'skip_resolve_phase_with_proxy',
  'oauth2',
  'authorization',
  'http_headers',
  'enable_http3',
  'fail_if_body_json_matches_cel',
  'fail_if_body_json_not_matches_cel',
];
const UNSUPPORTED_TLS = ['ca', 'ca_file', 'cert', 'cert_file', 'key', 'key_file', 'max_version'];
/** A token of RFC 9110 §5.6.2. */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,64}$/;
const METHODS = ['GET', 'HEAD', 'POST'] as const;

/** Reads `http:` of a module. Throws `FileProblem`, and `UnsupportedKey` for what only blackbox_exporter does. */
export function readHttp(section: Section, shared: Shared): HttpModule {
  unsupportedKeys(section, UNSUPPORTED);
  const method = section.text('method') ?? 'GET';
  const known = METHODS.find((each) => each === method);
  if (known === undefined) throw new UnsupportedKey(section.lineOf('method'), `method: ${method}`);
  return {
    ...HTTP_DEFAULTS,
    name: shared.name,
    timeoutMs: shared.timeoutMs,
    family: familyOf(section),
    method: known,
    headers: headersOf(section, shared),
    body: section.text('body') || undefined,
    followRedirects: followsRedirects(section),
    enableHttp2: section.flag('enable_http2') ?? true,
    ...tlsOf(section.section('tls_config')),
    validStatusCodes: section.integers('valid_status_codes'),
    validHttpVersions: section.texts('valid_http_versions'),
    failIfTls: section.flag('fail_if_ssl') ?? false,
    failIfNotTls: section.flag('fail_if_not_ssl') ?? false,
    bodyPatterns: [
      ...patternsOf(section, 'fail_if_body_matches_regexp').map((regexp): Pattern => ({ regexp, fails: 'present' })),
      ...patternsOf(section, 'fail_if_body_not_matches_regexp').map((regexp): Pattern => ({ regexp, fails: 'absent' })),
    ],
    headerPatterns: [
      ...headerPatterns(section, 'fail_if_header_matches', 'present'),
      ...headerPatterns(section, 'fail_if_header_not_matches', 'absent'),
    ],
  };
}

/** `no_follow_redirects` is what it was called before 0.20. */
function followsRedirects(section: Section): boolean {
  const not = section.flag('no_follow_redirects');
  return section.flag('follow_redirects') ?? !(not ?? false);
}

function tlsOf(section: Section): { verifyCertificate: boolean; serverName: string | undefined } {
  unsupportedKeys(section, UNSUPPORTED_TLS);
  const lowest = section.text('min_version') ?? 'TLS12';
  if (lowest !== 'TLS12') throw new UnsupportedKey(section.lineOf('min_version'), `min_version: ${lowest}`);
  const tls = {
    verifyCertificate: !(section.flag('insecure_skip_verify') ?? false),
    serverName: section.text('server_name') || undefined,
  };
  section.end();
  return tls;
}

function headersOf(section: Section, shared: Shared): Record<string, string> {
  const given = section.section('headers');
  const headers: Record<string, string> = Object.create(null);
  for (const name of given.keys()) {
    const field = name.toLowerCase();
    if (!FIELD_NAME.test(field)) throw new FileProblem(given.lineOf(name), `headers: ${quoted(name)} is no name of a header`);
    if (field in headers) throw new FileProblem(given.lineOf(name), `the header ${field} is there twice`);
    headers[field] = given.text(name)!;
  }
  const authorization = authorizationOf(section, shared);
  return authorization === undefined ? headers : { ...headers, authorization };
}

function authorizationOf(section: Section, shared: Shared): string | undefined {
  const token = secret(section, 'bearer_token', shared);
  const basic = section.section('basic_auth');
  const username = basic.text('username') ?? '';
  unsupportedKeys(basic, ['username_file']);
  const password = secret(basic, 'password', shared);
  basic.end();
  if (token !== undefined && section.has('basic_auth'))
    throw new FileProblem(section.lineOf('basic_auth'), 'basic_auth beside a bearer token');
  if (token !== undefined) return `Bearer ${token}`;
  return section.has('basic_auth') ? `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` : undefined;
}

/** A secret, or the file that holds it. */
function secret(section: Section, key: string, { readSecret }: Shared): string | undefined {
  const fileKey = `${key}_file`;
  const [text, file] = [section.text(key), section.text(fileKey)];
  if (file === undefined) return text;
  if (text !== undefined) throw new FileProblem(section.lineOf(fileKey), `${key} and ${fileKey} exclude each other`);
  try {
    return readSecret(file);
  } catch (error) {
    throw section.problem(fileKey, error);
  }
}

function headerPatterns(section: Section, key: string, fails: Pattern['fails']): HeaderPattern[] {
  return section.sections(key).map((each) => {
    const header = each.text('header')?.toLowerCase();
    if (header === undefined || !FIELD_NAME.test(header)) throw new FileProblem(each.line, `${key} wants the name of a header`);
    const pattern = {
      header,
      regexp: patternOf(each, 'regexp'),
      fails,
      allowMissing: each.flag('allow_missing') ?? false,
    };
    each.end();
    return pattern;
  });
}
