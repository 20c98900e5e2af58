import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Image } from './build.ts';
import { compress, type Packed, tar } from './pack.ts';

const NS_IN_S = 1_000_000_000;
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

const inNs = (duration: string): number => Number(/^(\d+)s$/.exec(duration)![1]) * NS_IN_S;
const asKeys = (names: readonly string[]): Record<string, object> => Object.fromEntries(names.map((name) => [name, {}]));

/** The configuration of an image (OCI image specification, config.md), with the health check that Docker and Podman read beside it. */
function configOf(image: Image, diffId: string, created: string): object {
  const { interval, timeout, 'start-period': startPeriod, retries } = image.healthcheckFlags;
  const health = {
    Test: ['CMD', ...image.healthcheck],
    Interval: inNs(interval!),
    Timeout: inNs(timeout!),
    StartPeriod: inNs(startPeriod!),
    Retries: Number(retries),
  };
  return {
    created,
    architecture: ARCHITECTURES[process.arch],
    os: 'linux',
    config: {
      User: image.user,
      ...(image.ports.length > 0 && { ExposedPorts: asKeys(image.ports.map((port) => `${port}/tcp`)) }),
      Env: Object.entries(image.env).map(([name, value]) => `${name}=${value}`),
      Entrypoint: image.entrypoint,
      ...(image.cmd.length > 0 && { Cmd: image.cmd }),
      ...(image.volumes.length > 0 && { Volumes: asKeys(image.volumes) }),
      WorkingDir: image.workdir,
      Labels: image.labels,
      StopSignal: image.stopSignal,
      Healthcheck: health,
    },
    rootfs: { type: 'layers', diff_ids: [diffId] },
    history: [{ created, created_by: 'npm run release' }],
  };
}

/**
 * Writes an image of one layer as one file: an OCI image layout (image-layout.md) with the manifest.json of `docker save` beside it, so that every
 * version of `docker load` and `podman load` reads it. `digest` is that of the manifest, by which registries name the image.
 */
export function writeOci(
  image: Image,
  path: string,
  { reference, epoch }: { reference: string; epoch: number },
): Packed & { digest: string } {
  const folder = mkdtempSync(join(dirname(path), '.oci-'));
  const blobs = join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const blob = (text: string): { digest: string; size: number } => {
    const hash = createHash('sha256').update(text).digest('hex');
    writeFileSync(join(blobs, hash), text);
    return { digest: `sha256:${hash}`, size: Buffer.byteLength(text) };
  };
  const uncompressed = tar(image.root, ['.'], join(folder, 'layer.tar'), { epoch, owners: 'kept' });
  const layer = compress(uncompressed.path, 'gz');
  rmSync(uncompressed.path);
  renameSync(layer.path, join(blobs, layer.sha256));
  const created = new Date(epoch * 1000).toISOString().replace('.000Z', 'Z');
  const config = blob(JSON.stringify(configOf(image, `sha256:${uncompressed.sha256}`, created)));
  const manifest = blob(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
      layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', digest: `sha256:${layer.sha256}`, size: layer.bytes }],
    }),
  );
  const annotations = {
    'io.containerd.image.name': `docker.io/${reference}`,
    'org.opencontainers.image.ref.name': reference.split(':')[1],
  };
  const files = {
    'oci-layout': { imageLayoutVersion: '1.0.0' },
    'index.json': {
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.index.v1+json',
      manifests: [{ mediaType: 'application/vnd.oci.image.manifest.v1+json', ...manifest, annotations }],
    },
    'manifest.json': [{ Config: pathOf(config.digest), RepoTags: [reference], Layers: [pathOf(`sha256:${layer.sha256}`)] }],
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
  const packed = tar(folder, ['oci-layout', 'index.json', 'manifest.json', 'blobs'], path, { epoch, owners: 'root' });
  rmSync(folder, { recursive: true });
  return { ...packed, digest: manifest.digest };
}

const pathOf = (digest: string): string => `blobs/${digest.replace(':', '/')}`;
