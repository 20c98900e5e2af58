import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { licencesText, thirdParties } from './third-party.ts';

/**
 * `npm run build:agent [-- --commit <commit>]`: the agent as a folder that runs beside a bare Node 26, on the processor that it is built on, with glibc.
 * No node_modules: everything is in `agent.mjs`, but for the binary of koffi.
 */

const OUT = 'dist/agent';

/** What the bundle has instead of these modules. */
const INSTEAD: Record<string, string> = {
  // The binary alone, from beside the bundle: koffi's own loader looks for it in node_modules, and adds what is deprecated.
  koffi: `import { createRequire } from 'node:module'; export default createRequire(import.meta.url)('./koffi.node');`,
  './net-ping/engine.ts': `export const openNetPingEngine = async () => { throw new Error('it is not part of the bundle'); };`,
};

/** Swaps them in; `replaced` gets the paths of what they replace. */
const instead = (replaced: string[]): Plugin => ({
  name: 'instead',
  async resolveId(id, importer) {
    if (!Object.hasOwn(INSTEAD, id)) return undefined;
    replaced.push((await this.resolve(id, importer, { skipSelf: true }))!.id);
    return `\0${id}`;
  },
  load: (id) => INSTEAD[id.slice(1)],
});

function commitOf(args: readonly string[]): string {
  const at = args.indexOf('--commit');
  if (at !== -1) return args[at + 1] ?? '';
  const git = (...rest: string[]) => execFileSync('git', rest, { encoding: 'utf8' }).trim();
  return git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '-changed');
}

/** Writes the bundle; the paths of the modules that it is made of, and of those that it has others for. */
async function bundle(commit: string): Promise<{ modules: string[]; replaced: string[] }> {
  const replaced: string[] = [];
  const build = await rolldown({
    input: 'packages/agent/src/main.ts',
    platform: 'node',
    plugins: [instead(replaced)],
    transform: { define: { VEDETTE_COMMIT: JSON.stringify(commit) } },
  });
  const { output } = await build.write({ file: join(OUT, 'agent.mjs'), format: 'esm', codeSplitting: false });
  await build.close();
  return { modules: output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])), replaced };
}

const commit = commitOf(process.argv.slice(2));
if (!/^[0-9a-f]{7,64}(-changed)?$/.test(commit))
  throw new Error(`--commit takes the commit that is built, in hexadecimal digits: ${commit}`);
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const { modules, replaced } = await bundle(commit);
const koffi = replaced.find((path) => path.includes('/koffi/'))!;
copyFileSync(
  createRequire(koffi).resolve(`@koromix/koffi-linux-${process.arch}/linux_${process.arch}/koffi.node`),
  join(OUT, 'koffi.node'),
);
copyFileSync('packages/agent/vedette', join(OUT, 'vedette'));
chmodSync(join(OUT, 'vedette'), 0o755);
// Of the bundler there are a few lines at the head.
const others = thirdParties([...modules, koffi, fileURLToPath(import.meta.resolve('rolldown'))]);
writeFileSync(join(OUT, 'LICENSES.txt'), licencesText([readFileSync('LICENSE', 'utf8'), readFileSync('NOTICE', 'utf8')], others));
process.stdout.write(`${OUT} of ${commit}, with ${others.map(({ name }) => name).join(', ')}\n`);
