import { AckFrame, BeatFrame, CancelFrame, DeniedFrame, FinalFrame, JobFrame, NackFrame } from '@vedette/bus/frames';
import { probes } from '@vedette/probes';
import type { Plugin } from 'rolldown';
import type { TSchema } from 'typebox';
import { Build } from 'typebox/schema';
import { Settings } from '../packages/agent/src/config.ts';

/** What an agent checks against. What is not among these it compiles when it first has a value for it. */
const SCHEMAS: TSchema[] = [
  Settings,
  JobFrame,
  CancelFrame,
  DeniedFrame,
  BeatFrame,
  AckFrame,
  FinalFrame,
  NackFrame,
  ...probes.flatMap(({ job, result }) => [job, result]),
];

/** One schema's entry of `CHECKS`: the code that TypeBox would make of it when the agent starts. Throws where it needs more than patterns. */
function checkOf(schema: TSchema): string {
  const build = Build(schema);
  const { identifier, variables } = build.External();
  if (build.UseUnevaluated() || !variables.every((variable) => variable instanceof RegExp))
    throw new Error(`a schema that cannot be written as code: ${JSON.stringify(schema).slice(0, 200)}`);
  const code = `${build.Functions().join(';\n')}; return (value) => ${build.Entry()};`;
  return `[${JSON.stringify(JSON.stringify(schema))}, () => { const ${identifier} = [${variables.map(String).join(', ')}]; ${code} }]`;
}

/**
 * `typebox/schema` as the bundle has it: checks are made when it is built, as compiling them takes 7 MB that the process never gives back. The whole of
 * it is loaded where it says what is wrong with a value, or where a schema is none of those, by its first value: what the bus and the contract check for
 * renderers and fleets is in the bundle too, and no agent gets any.
 */
const CHECKS = `
import { Guard } from 'typebox/guard';
import { Hashing } from 'typebox/system';
const CHECKS = new Map([${SCHEMAS.map(checkOf).join(',\n')}]);
export const Compile = (schema) => {
  let whole;
  const compiled = () => (whole ??= require('typebox/schema').Compile(schema));
  const made = CHECKS.get(JSON.stringify(schema));
  return { Check: made === undefined ? (value) => compiled().Check(value) : made(), Errors: (value) => compiled().Errors(value) };
};`;

/** What the bundle has instead of these modules. */
const INSTEAD: Record<string, string> = {
  'typebox/schema': CHECKS,
  // The binary alone, from beside the bundle: koffi's own loader looks for it in node_modules, and adds what is deprecated.
  koffi: `import { createRequire } from 'node:module'; export default createRequire(import.meta.url)('./koffi.node');`,
  './net-ping/engine.ts': `export const openNetPingEngine = async () => { throw new Error('it is not part of the bundle'); };`,
};

/** Swaps them in; `replaced` gets the paths of what they replace. */
export const instead = (replaced: string[]): Plugin => ({
  name: 'instead',
  async resolveId(id, importer) {
    if (!Object.hasOwn(INSTEAD, id) || importer?.startsWith('\0')) return undefined;
    replaced.push((await this.resolve(id, importer, { skipSelf: true }))!.id);
    return `\0${id}`;
  },
  load: (id) => INSTEAD[id.slice(1)],
});

/** Modules of Node that an agent need not have before its first job, or at all; each takes memory once it is loaded. */
const ON_FIRST_USE = ['child_process', 'crypto', 'dgram', 'http', 'http2', 'perf_hooks', 'tls', 'zlib'];

/** Loads these with the first use of a name of theirs, rather than at the start. */
export const onFirstUse: Plugin = {
  name: 'on-first-use',
  resolveId(id) {
    const name = id.replace(/^node:/, '');
    return ON_FIRST_USE.includes(name) ? `\0node:${name}` : undefined;
  },
  load(id) {
    if (!id.startsWith('\0node:')) return undefined;
    const name = id.slice(1);
    const getters = Object.keys(process.getBuiltinModule(name)!).map((key) => `get ${key}() { return loaded().${key}; }`);
    return `let module_; const loaded = () => (module_ ??= process.getBuiltinModule('${name}')); module.exports = { ${getters.join(', ')} };`;
  },
};
