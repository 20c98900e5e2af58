import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from './build.ts';
import { copyNode, PACKAGES } from './libraries.ts';
import { writeOci } from './oci.ts';
import { compress, tar } from './pack.ts';
import { bundledComponents, debianPackages, installedPackages, node, sbom } from './sbom.ts';

export type Role = 'agent' | 'gateway' | 'renderer';

/** What all files of a release share. */
export interface Release {
  version: string;
  commit: string;
  /** Seconds since 1970 of the commit: the time of everything in the release. */
  epoch: number;
  /** Folder of the finished files. */
  out: string;
}

/** Writes the files of one role from its built image: tarballs with Node in them, the image, and a bill of materials for each. */
export function writeArtefacts(role: Role, image: Image, release: Release, say: (line: string) => void): void {
  const { version, epoch, out } = release;
  const name = `vedette-${role}-${version}-linux-${process.arch}`;
  const folder = join(out, '.work', name);
  mkdirSync(folder, { recursive: true });
  if (role === 'agent') fillAgent(image.root, folder);
  else fillServer(role, image.root, folder);
  const packed = tar(join(out, '.work'), [name], join(out, `${name}.tar`), { epoch, owners: 'root' });
  // A small Debian has gzip alone; xz takes minutes for the others.
  for (const kind of role === 'agent' ? (['xz', 'gz'] as const) : (['gz'] as const)) {
    const { path, bytes, sha256 } = compress(packed.path, kind);
    say(`${path} ${inMb(bytes)} ${sha256}`);
  }
  rmSync(packed.path);
  rmSync(folder, { recursive: true });
  const oci = writeOci(image, join(out, `${name}.oci.tar`), { reference: `vedette/${role}:${version}`, epoch });
  say(`${oci.path} ${inMb(oci.bytes)} ${oci.sha256}, manifest ${oci.digest}`);
  const packages =
    role === 'agent'
      ? bundledComponents(readFileSync(join(image.root, 'opt/vedette/agent/LICENSES.txt'), 'utf8'))
      : installedPackages(join(image.root, 'opt/vedette'));
  const about = { version, commit: release.commit, epoch };
  const write = (title: string, file: string, debian: ReturnType<typeof debianPackages>): void =>
    writeFileSync(join(out, file), sbom({ ...about, name: title }, [...packages, node(), ...debian]));
  write(`vedette-${role}`, `${name}.cdx.json`, debianPackages(image.root, role === 'agent' ? PACKAGES.all : PACKAGES.some));
  write(`vedette-${role}-image`, `${name}.oci.cdx.json`, debianPackages(image.root));
}

const inMb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
/** Of a folder what is in it, links as links. */
const copyInto = (from: string, to: string): void => void execFileSync('cp', ['-R', '-P', `${from}/.`, to]);

/** The bundle, on any Linux of this processor. */
function fillAgent(root: string, folder: string): void {
  copyInto(join(root, 'opt/vedette/agent'), folder);
  copyNode(root, folder, 'all');
}

/** Sources with their packages, on any Linux of this processor with a glibc that runs Node. */
function fillServer(role: Role, root: string, folder: string): void {
  copyInto(join(root, 'opt/vedette'), folder);
  copyNode(root, folder, 'some');
  writeFileSync(join(folder, 'ROLE'), `${role}\n`);
  copyFileSync('deploy/release/vedette', join(folder, 'vedette'));
}
