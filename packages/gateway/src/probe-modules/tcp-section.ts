import { withGroups } from '@vedette/probes/patterns';
import { checkTerms } from '@vedette/probes/tcp';
import { fileOf } from './http-client.ts';
import { type ModuleTls, TCP_DEFAULTS, type TcpModule, type TcpStep } from './modules.ts';
import { familiesOf, type Shared, UnsupportedKey, unsupportedKeys } from './section-parts.ts';
import { FileProblem, type Section } from './yaml-section.ts';

/** TLS versions by the names of Go's configuration. */
const VERSIONS = new Map<string, 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'>([
  ['TLS10', 'TLSv1'],
  ['TLS11', 'TLSv1.1'],
  ['TLS12', 'TLSv1.2'],
  ['TLS13', 'TLSv1.3'],
]);
const LABEL_NAME = /^(?!__)[a-z_][a-z\d_]{0,62}$/i;

/** Reads `tcp:` of a module. Throws `FileProblem`, and `UnsupportedKey` for what only blackbox_exporter does. */
export function readTcp(section: Section, shared: Shared): TcpModule {
  unsupportedKeys(section, ['source_ip_address']);
  return {
    ...TCP_DEFAULTS,
    name: shared.name,
    timeoutMs: shared.timeoutMs,
    ...familiesOf(section),
    tls: section.flag('tls') ?? false,
    ...tlsOf(section.section('tls_config'), shared),
    steps: section.sections('query_response').map(stepOf),
  };
}

function stepOf(section: Section): TcpStep {
  const expect = section.text('expect') || undefined;
  const step = {
    expect: expect === undefined ? undefined : pattern(section, expect),
    labels: section.sections('labels').map(labelOf),
    expectBytes: octetsOf(section, 'expect_bytes'),
    send: octetsOf(section, 'send'),
    startTls: section.flag('starttls') ?? false,
  };
  section.end();
  return step;
}

function pattern(section: Section, text: string): string {
  try {
    withGroups(text);
    return text;
  } catch (error) {
    throw section.problem('expect', error);
  }
}

function labelOf(section: Section): { name: string; value: string } {
  const label = { name: section.text('name') ?? '', value: section.text('value') ?? '' };
  if (!LABEL_NAME.test(label.name)) throw new FileProblem(section.lineOf('name'), 'name must be the name of a label');
  section.end();
  return label;
}

function octetsOf(section: Section, key: string): Uint8Array | undefined {
  const octets = section.octets(key);
  return octets && octets.length > 0 ? octets : undefined;
}

function tlsOf(section: Section, { readFile }: Shared): ModuleTls {
  const version = (key: string) => {
    const text = section.text(key) || undefined;
    if (text !== undefined && !VERSIONS.has(text)) throw new UnsupportedKey(section.lineOf(key), `${key}: ${text}`);
    return text === undefined ? undefined : VERSIONS.get(text);
  };
  const pem = (key: string) => {
    const [text, file] = [section.text(key) || undefined, section.text(`${key}_file`) || undefined];
    if (text !== undefined && file !== undefined)
      throw new FileProblem(section.lineOf(`${key}_file`), `${key} and ${key}_file exclude each other`);
    return file === undefined ? text : fileOf(section, `${key}_file`, () => readFile(file));
  };
  const terms = {
    roots: pem('ca'),
    minVersion: version('min_version'),
    maxVersion: version('max_version'),
    certificate: pem('cert'),
    key: pem('key'),
  };
  const tls = {
    verifyCertificate: !(section.flag('insecure_skip_verify') ?? false),
    serverName: section.text('server_name') || undefined,
    terms,
  };
  section.end();
  try {
    checkTerms(terms);
  } catch (error) {
    throw new FileProblem(section.line, `tls_config: ${error instanceof Error ? error.message : String(error)}`);
  }
  return tls;
}
