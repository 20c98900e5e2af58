import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { instead, onFirstUse } from './bundled-modules.ts';
import { inAscii } from './joined.ts';
import { licencesText, thirdParties } from './third-party.ts';

/**
 * `npm run build:agent [-- --commit <commit> --out <folder>]`: the agent as a folder that runs beside a bare Node 26, on the processor that it is built on, with glibc.
 * No node_modules: everything is in `agent.mjs`, but for the binary of koffi.
 */

const { values } = parseArgs({ options: { commit: { type: 'string' }, out: { type: 'string', default: 'dist/agent' } } });
const OUT = values.out;

/** The commit of this checkout, and whether anything is not as it has it. */
function checkedOut(): string {
  const git = (...rest: string[]) => execFileSync('git', rest, { encoding: 'utf8' }).trim();
  return git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '-changed');
}

/** Writes the bundle; the paths of the modules that it is made of, and of those that it has others for. */
async function bundle(commit: string): Promise<{ modules: string[]; replaced: string[] }> {
  const replaced: string[] = [];
  const build = await rolldown({
    input: 'packages/agent/src/main.ts',
    platform: 'node',
    plugins: [instead(replaced), onFirstUse],
    // Such as an import that nobody exports, and that would be found missing when it is needed.
    onwarn: ({ message }) => {
      throw new Error(message);
    },
    transform: { define: { VEDETTE_COMMIT: JSON.stringify(commit) } },
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false, minify: true });
  await build.close();
  const [{ code, moduleIds }, ...others] = output;
  if (others.length > 0) throw new Error(`more than one file: ${others.map(({ fileName }) => fileName).join(', ')}`);
  writeFileSync(join(OUT, 'agent.mjs'), inAscii(code));
  return { modules: moduleIds, replaced };
}

const commit = values.commit ?? checkedOut();
if (!/^[0-9a-f]{7,64}(-changed)?$/.test(commit))
  throw new Error(`--commit takes the commit that is built, in hexadecimal digits: ${commit}`);
const there = existsSync(OUT) ? readdirSync(OUT) : [];
if (there.length > 0 && !there.includes('agent.mjs')) throw new Error(`${OUT} holds no earlier build: it would be deleted`);
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
copyFileSync('deploy/systemd/vedette-agent.service', join(OUT, 'vedette-agent.service')); // which `agent join` installs
// Of the bundler there are a few lines at the head.
const others = thirdParties([...modules, koffi, fileURLToPath(import.meta.resolve('rolldown'))]);
writeFileSync(join(OUT, 'LICENSES.txt'), licencesText([readFileSync('LICENSE', 'utf8'), readFileSync('NOTICE', 'utf8')], others));
process.stdout.write(`${OUT} of ${commit}, with ${others.map(({ name }) => name).join(', ')}\n`);
