import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** No small Debian has the first. The others come with the C library below, since those of Debian 12 need its version of it. */
const LIBATOMIC = ['libatomic.so.1'];
const OF_GCC = ['libgcc_s.so.1', 'libstdc++.so.6'];
/** The C library. Its parts for names of hosts are in libc.so.6 itself. */
const GLIBC = ['ld-linux-*.so.*', 'libc.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'librt.so.1', 'libresolv.so.2'];

const LINE = '-'.repeat(100);

/** Packages of Debian whose files these are, and those that hold their licences. */
export const PACKAGES = { some: ['libatomic1'], all: ['libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6'] };
const COPYRIGHTS = { some: ['gcc-12-base'], all: ['gcc-12-base', 'libc6'] };

/**
 * Puts Node into `to`, with libraries of `root`, a Debian, beside it. `some` is what a machine with a glibc may lack, and `node` finds it in `lib`. `all`
 * are in `lib/glibc` besides: through its loader the launcher starts Node where it does not run by itself.
 */
export function copyNode(root: string, to: string, libraries: 'some' | 'all'): void {
  copyLibraries(root, LIBATOMIC, join(to, 'lib'));
  if (libraries === 'all') copyLibraries(root, [...LIBATOMIC, ...OF_GCC, ...GLIBC], join(to, 'lib/glibc'));
  const texts = COPYRIGHTS[libraries].map(
    (name) => `${name} of Debian\n\n${readFileSync(join(root, 'usr/share/doc', name, 'copyright'), 'utf8').trim()}`,
  );
  writeFileSync(join(to, 'lib/LICENSES.txt'), `${texts.join(`\n\n${LINE}\n\n`)}\n`);
  copyFileSync(join(root, 'usr/local/bin/node'), join(to, 'node'));
  // After strip(1), which would damage what this changes.
  execFileSync('patchelf', ['--set-rpath', '$ORIGIN/lib', join(to, 'node')]);
}

function copyLibraries(root: string, names: readonly string[], to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of names) {
    const [found] = globSync([`usr/lib/*-linux-gnu/${name}`, `lib/*-linux-gnu/${name}`], { cwd: root });
    if (found === undefined) throw new Error(`${root} has no ${name}`);
    copyFileSync(realpathSync(join(root, found)), join(to, basename(found)));
  }
}
