import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from '../third-party.ts';

/** A bill of materials in CycloneDX 1.5, with what `npm sbom` cannot know: Node, and packages of Debian. */

interface Component {
  name: string;
  version: string;
  purl: string;
  license?: string | undefined;
  hash?: { alg: 'SHA-256' | 'SHA-512'; content: string };
}

const npmPurl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;
const hexOf = (integrity: string): string => Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');

/** Packages of npm that are installed in a folder, by what npm wrote of them there. */
export function installedPackages(folder: string): Component[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity?: string; license?: string; link?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, { link, integrity }]) => link !== true && integrity !== undefined && existsSync(join(folder, path)))
    .map(([path, { version, license, integrity }]) => {
      const name = path.replace(/^.*node_modules\//, '');
      return { name, version, license, purl: npmPurl(name, version), hash: { alg: 'SHA-512', content: hexOf(integrity!) } };
    });
}

/** Packages whose code is in the agent's bundle, by the licences beside it. */
export const bundledComponents = (licences: string): Component[] =>
  bundledPackages(licences).map(({ name, version, license }) => ({ name, version, license, purl: npmPurl(name, version) }));

/** Node, with the hash of the program before it lost its symbols: the one that `scripts/binaries.sha256` pins. */
export function node(): Component {
  const pin = readFileSync('scripts/binaries.sha256', 'utf8')
    .split('\n')
    .find((line) => line.includes(` node-linux-${process.arch} `))!;
  const [content = '', name = '', version = ''] = pin.split(' ');
  return { name: 'node', version, license: 'MIT', purl: npmPurl(name, version), hash: { alg: 'SHA-256', content } };
}

/** Packages of Debian in a root, by what dpkg knows of them; `names` leaves only these. */
export function debianPackages(root: string, names?: readonly string[]): Component[] {
  const files = globSync(['var/lib/dpkg/status', 'var/lib/dpkg/status.d/*'], { cwd: root });
  const entries = files.flatMap((file) => readFileSync(join(root, file), 'utf8').split(/\n\n+/));
  return entries.flatMap((entry) => {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(entry)?.[1] ?? '';
    const [name, version, architecture] = [field('Package'), field('Version'), field('Architecture')];
    if (name === '' || (names && !names.includes(name))) return [];
    return [{ name, version, purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}` }];
  });
}

const URL_NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex'); // RFC 9562 §6.6

/** A UUID of version 5, which depends on the name alone (RFC 9562 §5.5). */
function uuid5(name: string): string {
  const bytes = createHash('sha1').update(URL_NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The document for one artefact: the same commit and components give the same bytes. */
export function sbom(
  { name, version, commit, epoch }: { name: string; version: string; commit: string; epoch: number },
  components: readonly Component[],
): string {
  const sorted = [...new Map(components.map((component) => [component.purl, component])).values()].toSorted((one, other) =>
    one.purl < other.purl ? -1 : 1,
  );
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuid5(`${name} ${version} ${commit}`)}`,
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': name,
        name,
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        properties: [{ name: 'vedette:commit', value: commit }],
      },
    },
    components: sorted.map(({ hash, license, ...component }) => ({
      type: 'library',
      'bom-ref': component.purl,
      ...component,
      ...(license !== undefined && { licenses: [{ expression: license }] }),
      ...(hash && { hashes: [hash] }),
    })),
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}
