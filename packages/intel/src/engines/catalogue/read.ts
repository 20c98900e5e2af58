import { shown } from '@vedette/contract';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { Engine, folded } from '../engine.ts';
import { ADDRESS_LISTS } from './address-lists.ts';
import { ADDRESS_ZONES } from './address-zones.ts';
import { DEFAULTS } from './defaults.ts';
import { NAME_LISTS } from './name-lists.ts';
import { NAME_ZONES } from './name-zones.ts';
import { URL_LISTS } from './url-lists.ts';

export type EngineCatalogue = readonly Engine[];

/** The engines that are built in (docs/engines.md). On is what a commercial installation of one's own may ask. */
export const ENGINE_CATALOGUE: EngineCatalogue = [...ADDRESS_LISTS, ...ADDRESS_ZONES, ...NAME_LISTS, ...NAME_ZONES, ...URL_LISTS];

/** Ids are labels of metrics. */
export const EngineId = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' });
const EnginesFile = Type.Object(
  {
    built_in: Type.Optional(Type.Boolean()),
    engines: Type.Optional(Type.Record(EngineId, Type.Partial(Engine, { additionalProperties: false }), { additionalProperties: false })),
  },
  { additionalProperties: false },
);
const isEnginesFile = Compile(EnginesFile);
const isEngine = Compile(Engine);

/**
 * Reads the text of VEDETTE_ENGINES_FILE: `{"engines": {"spamcop": {"enabled": false}, "ours": {"name": "Ours", "zone": "bl.example.org", …}}}`
 * changes engines of the catalogue and adds others; with `"built_in": false` only these are there. Throws with what is wrong.
 */
export function readEngineCatalogue(text: string): EngineCatalogue {
  const file: unknown = JSON.parse(text);
  if (!isEnginesFile.Check(file)) {
    const [, [first]] = isEnginesFile.Errors(file);
    const problem = first?.keyword === 'boolean' ? 'is not known here' : first?.message;
    throw new Error(`${first?.instancePath || 'the file'} ${problem}`);
  }
  const known = new Map<string, Engine>((file.built_in ?? true) ? ENGINE_CATALOGUE.map((engine) => [engine.id, engine]) : []);
  for (const [id, changes] of Object.entries(file.engines ?? {})) {
    const { id: _, ...before } = known.get(id) ?? { ...DEFAULTS, families: [...DEFAULTS.families], id };
    const engine = { ...before, ...changes };
    if (!isEngine.Check(engine)) throw new Error(`the engine ${shown(id, 64)} is new and lacks ${missing(engine).join(', ')}`);
    known.set(id, { ...engine, id });
  }
  const catalogue = [...known.values()];
  const problem = catalogueProblem(catalogue);
  if (problem !== undefined) throw new Error(problem);
  return catalogue;
}

const missing = (engine: object): string[] => (Engine.required ?? []).filter((property) => !(property in engine));

/** Returns the first problem of the catalogue that a schema cannot find. */
export function catalogueProblem(catalogue: EngineCatalogue): string | undefined {
  const taken = new Map<string, string>();
  for (const engine of catalogue) {
    const { id, zone, list, codes, bits, notices } = engine;
    const who = `the engine ${shown(id, 64)}`;
    if ((zone === undefined) === (list === undefined)) return `${who} needs either a zone or a list`;
    if (zone !== undefined && engine.subject === 'url') return `${who} lists URLs, which no zone is asked for`;
    if (zone !== undefined && !codes && !bits && !notices) return `${who} has a zone, and neither codes nor bits nor notices`;
    if (folded(engine.name) === '') return `${who} needs a name with letters or digits`;
    for (const name of new Set([folded(id), folded(engine.name)])) {
      const other = taken.get(name);
      if (other !== undefined) return `${who} and ${shown(other, 64)} are called the same, as exclude_engines compares names`;
      taken.set(name, id);
    }
  }
  return undefined;
}
