export { type BlacklistsOptions, createBlacklists, type OpenBlacklists } from './blacklists.ts';
export { catalogueProblem, ENGINE_CATALOGUE, type EngineCatalogue, EngineId, readEngineCatalogue } from './catalogue/read.ts';
export type { Engine } from './engine.ts';
