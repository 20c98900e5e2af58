import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Image } from '../../../scripts/release/build.ts';
import { writeOci } from '../../../scripts/release/oci.ts';
import { compress, tar } from '../../../scripts/release/pack.ts';
import { debianPackages, node, sbom } from '../../../scripts/release/sbom.ts';

const EPOCH = 1_700_000_000;
let at: string;
beforeEach(() => {
  at = mkdtempSync(join(tmpdir(), 'vedette-files-'));
  onTestFinished(() => rmSync(at, { recursive: true }));
});

/** A small root, and the same made again at another time, by a user with another mask. */
function twoRoots(): string[] {
  return ['one', 'two'].map((name, index) => {
    const root = join(at, name, 'root');
    mkdirSync(join(root, 'usr/bin'), { recursive: true });
    const files = index === 0 ? ['a', 'b'] : ['b', 'a'];
    for (const file of files) writeFileSync(join(root, 'usr/bin', file), `the program ${file}`);
    symlinkSync('a', join(root, 'usr/bin/link'));
    for (const file of files) utimesSync(join(root, 'usr/bin', file), index * 1000, index * 1000);
    return root;
  });
}

const image = (root: string): Image => ({
  root,
  args: {},
  env: { PATH: '/usr/bin' },
  user: '10002:10002',
  workdir: '/opt',
  labels: { 'org.opencontainers.image.version': '1.0.0' },
  volumes: ['/var/lib/vedette'],
  ports: [8080],
  entrypoint: ['/usr/bin/a', 'b'],
  cmd: [],
  healthcheck: ['/usr/bin/b'],
  healthcheckFlags: { interval: '30s', timeout: '5s', 'start-period': '15s', retries: '3' },
  stopSignal: 'SIGTERM',
});

it('tarballs of the same files are the same bytes, in both compressions', () => {
  const hashes = twoRoots().map((root, index) => {
    const { path, sha256 } = tar(join(root, '..'), ['root'], join(at, `${index}.tar`), { epoch: EPOCH, owners: 'root' });
    return [sha256, compress(path, 'gz').sha256, compress(path, 'xz').sha256];
  });
  expect(hashes[0]).toEqual(hashes[1]);
});

it('an image is a layout of OCI whose parts have the hashes that name them, and that of docker save', () => {
  const [one, two] = twoRoots().map((root, index) =>
    writeOci(image(root), join(at, `${index}.oci.tar`), { reference: 'vedette/agent:1.0.0', epoch: EPOCH }),
  );
  expect([two!.sha256, two!.digest]).toEqual([one!.sha256, one!.digest]);
  const layout = join(at, 'layout');
  mkdirSync(layout);
  execFileSync('tar', ['-xf', one!.path, '-C', layout]);
  const read = (name: string): any => JSON.parse(readFileSync(join(layout, name), 'utf8'));
  const blob = (digest: string): string => join('blobs', digest.replace(':', '/'));
  expect(read('oci-layout')).toEqual({ imageLayoutVersion: '1.0.0' });
  const [named] = read('index.json').manifests;
  expect(named.digest).toBe(one!.digest);
  expect(named.annotations['org.opencontainers.image.ref.name']).toBe('1.0.0');
  const manifest = read(blob(named.digest));
  for (const { digest, size } of [named, manifest.config, ...manifest.layers]) {
    const path = join(layout, blob(digest));
    expect(`sha256:${execFileSync('sha256sum', [path], { encoding: 'utf8' }).split(' ')[0]}`).toBe(digest);
    expect(readFileSync(path).length).toBe(size);
  }
  const [layer] = manifest.layers;
  const config = read(blob(manifest.config.digest));
  const unpacked = execFileSync('sh', ['-c', 'gzip -dc "$0" | sha256sum', join(layout, blob(layer.digest))], { encoding: 'utf8' });
  expect(config.rootfs.diff_ids).toEqual([`sha256:${unpacked.split(' ')[0]}`]);
  expect(config).toMatchObject({
    created: '2023-11-14T22:13:20Z',
    os: 'linux',
    config: {
      User: '10002:10002',
      Entrypoint: ['/usr/bin/a', 'b'],
      ExposedPorts: { '8080/tcp': {} },
      Volumes: { '/var/lib/vedette': {} },
      Healthcheck: { Test: ['CMD', '/usr/bin/b'], Interval: 30e9, Timeout: 5e9, StartPeriod: 15e9, Retries: 3 },
    },
  });
  expect(read('manifest.json')).toEqual([
    { Config: blob(manifest.config.digest), RepoTags: ['vedette/agent:1.0.0'], Layers: [blob(layer.digest)] },
  ]);
  const files = execFileSync('tar', ['-tzf', join(layout, blob(layer.digest))], { encoding: 'utf8' });
  expect(files.split('\n')).toContain('./usr/bin/link');
});

it('a bill of materials is the same for the same parts, with the Node that is pinned and packages of Debian', () => {
  mkdirSync(join(at, 'var/lib/dpkg'), { recursive: true });
  writeFileSync(
    join(at, 'var/lib/dpkg/status'),
    'Package: libc6\nArchitecture: amd64\nVersion: 2.36-9+deb12u10\n\nPackage: tar\nArchitecture: amd64\nVersion: 1:1.34\n\n',
  );
  const about = { name: 'vedette-agent', version: '1.0.0', commit: 'abc', epoch: EPOCH };
  const parts = [node(), ...debianPackages(at, ['libc6'])];
  const text = sbom(about, parts);
  expect(sbom(about, parts.toReversed())).toBe(text);
  const { components, serialNumber, metadata } = JSON.parse(text);
  expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(metadata.timestamp).toBe('2023-11-14T22:13:20.000Z');
  expect(components.map(({ purl }: { purl: string }) => purl)).toEqual([
    'pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64',
    expect.stringMatching(/^pkg:npm\/node-linux-\w+@26\./),
  ]);
  expect(debianPackages(at).map(({ name }) => name)).toEqual(['libc6', 'tar']);
});
