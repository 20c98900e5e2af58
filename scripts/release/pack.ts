import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** A file of a release. */
export interface Packed {
  path: string;
  bytes: number;
  sha256: string;
}

const measured = (path: string): Packed => ({
  path,
  bytes: statSync(path).size,
  sha256: execFileSync('sha256sum', [path], { encoding: 'utf8' }).split(' ')[0]!,
});

/** Owners in an archive: `root` for files that anyone may unpack, `kept` for roots of images. */
type Owners = 'root' | 'kept';

/** Packs `names` of a folder, and gives the same bytes for the same files: in the order of their names, all as old as the commit. */
export function tar(folder: string, names: readonly string[], path: string, { epoch, owners }: { epoch: number; owners: Owners }): Packed {
  const ownership = owners === 'root' ? ['--owner=0', '--group=0', '--mode=a+rX,u+w,go-w'] : [];
  const flags = ['--format=gnu', '--sort=name', `--mtime=@${epoch}`, '--numeric-owner', ...ownership];
  execFileSync('tar', [...flags, '-C', folder, '-cf', path, ...names], { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } });
  return measured(path);
}

/** Neither writes the name or the time of its input. More than one thread of xz would write other blocks. */
const COMPRESSORS = { gz: ['gzip', '-n', '-6'], xz: ['xz', '-6', '-T1'] } as const;

/** Writes the compressed file beside a tar, and keeps the tar. */
export function compress(path: string, kind: keyof typeof COMPRESSORS): Packed {
  const [program, ...flags] = COMPRESSORS[kind];
  execFileSync(program, [...flags, '--keep', '--force', path]);
  return measured(`${path}.${kind}`);
}
