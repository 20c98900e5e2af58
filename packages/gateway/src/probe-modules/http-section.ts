import { HttpModuleOptions, namedIn } from '@vedette/probes/http';
import { FIELD_NAME, fileOf, headersOf, oauth2Of, proxyOf } from './http-client.ts';
import { type Family, HTTP_DEFAULTS, type HeaderPattern, type HttpModule, type Pattern } from './modules.ts';
import { patternsOf, patternOf } from './patterns.ts';
import { familiesOf, optionsOf, type Shared, UnsupportedKey, unsupportedKeys } from './section-parts.ts';
import { FileProblem, type Section } from './yaml-section.ts';

/** Keys of blackbox_exporter for what we cannot do. */
const UNSUPPORTED = ['proxy_from_environment', 'enable_http3', 'fail_if_body_json_matches_cel', 'fail_if_body_json_not_matches_cel'];
const UNSUPPORTED_TLS = ['ca', 'ca_file', 'cert', 'cert_file', 'key', 'key_file', 'max_version'];
const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'] as const;

/** Reads `http:` of a module. Throws `FileProblem`, and `UnsupportedKey` for what only blackbox_exporter does. */
export function readHttp(module: Section, section: Section, shared: Shared): HttpModule {
  unsupportedKeys(section, UNSUPPORTED);
  const { family, ipv6First } = familiesOf(section);
  const options = httpOptionsOf(module, section, shared, family);
  return {
    ...HTTP_DEFAULTS,
    name: shared.name,
    timeoutMs: shared.timeoutMs,
    options,
    ipv6First: ipv6First && !options.family,
    body: bodyOf(section, shared),
    compression: compressionOf(section),
    bodyMaxBytes: sizeOf(section, 'body_size_limit'),
    proxy: proxyOf(section),
    oauth2: oauth2Of(section, shared),
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

function httpOptionsOf(module: Section, section: Section, shared: Shared, family: Family): HttpModule['options'] {
  const method = methodOf(section);
  const headers = headersOf(section, shared);
  const options = optionsOf(module, HttpModuleOptions, {
    ...(method !== undefined && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(section.flag('enable_http2') === false && { http_versions: ['HTTP/1.1'] }),
    ...(!followsRedirects(section) && { max_redirects: 0 }),
    ...(family !== 0 && { family }),
  });
  try {
    namedIn(options.headers);
  } catch (error) {
    throw module.problem('options', error);
  }
  return options;
}

function methodOf(section: Section): (typeof METHODS)[number] | undefined {
  const method = section.text('method');
  if (method === undefined) return undefined;
  const known = METHODS.find((each) => each === method);
  if (known === undefined) throw new UnsupportedKey(section.lineOf('method'), `method: ${method}`);
  return known;
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

function bodyOf(section: Section, { readFile }: Shared): string | undefined {
  const [text, file] = [section.text('body') || undefined, section.text('body_file') || undefined];
  if (text !== undefined && file !== undefined) throw new FileProblem(section.lineOf('body_file'), 'body and body_file exclude each other');
  return file === undefined ? text : fileOf(section, 'body_file', () => readFile(file));
}

function compressionOf(section: Section): HttpModule['compression'] {
  const coding = section.text('compression') || 'identity';
  if (coding === 'identity') return undefined;
  if (coding === 'gzip' || coding === 'deflate' || coding === 'br') return coding;
  throw new UnsupportedKey(section.lineOf('compression'), `compression: ${coding}`);
}

const EXPONENTS = 'BKMGTPE';

/** A size such as 10MB, with units of 1024; undefined for 0, without a limit. */
function sizeOf(section: Section, key: string): number | undefined {
  const text = section.text(key) || '0';
  const [, digits, unit = 'B'] = /^(\d{1,9}(?:\.\d{1,3})?)([KMGTPE](?=i?B)|B)?/.exec(text) ?? [];
  if (digits === undefined || !/^[\d.]+(?:[KMGTPE]i?)?B?$/.test(text))
    throw new FileProblem(section.lineOf(key), `${key} must be a size such as 10MB`);
  return Math.min(Math.floor(Number(digits) * 1024 ** EXPONENTS.indexOf(unit)), Number.MAX_SAFE_INTEGER) || undefined;
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
