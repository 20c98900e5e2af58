import { ApiError, type BlacklistCheck, type EngineResult, listOf } from '@vedette/contract';
import { type Static, Type } from 'typebox';

/** The two parameters of every operation that asks engines. */
export const BLACKLIST_PARAMETERS = {
  exclude_engines: Type.Optional(
    Type.String({
      maxLength: 4096,
      description:
        'Engines that are not asked: names or ids, with commas between (docs/engines.md). Case, spaces and punctuation do not count; unknown names are ignored',
      examples: ['SpamCop,UCEPROTECT Level 1'],
    }),
  ),
  blocklist_key: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]{20,40}$',
      description: 'Your query key of Spamhaus DQS: its engines are asked with it, for this request only. It is neither kept nor logged',
      examples: ['abcdefghijklmnopqrstuvwxyz'],
    }),
  ),
};

const engineFields = {
  name: Type.String({ description: 'As `exclude_engines` takes it' }),
  detected: Type.Boolean({ description: 'Whether the engine lists it' }),
  reference: Type.String({ description: 'Where a person can look it up at the engine; empty where there is no such page' }),
  elapsed_ms: Type.Integer({ description: 'How long the engine took; 0 for a list in memory' }),
};
const AddressEngine = Type.Object(engineFields, { title: 'EngineEntry' });
const HostEngine = Type.Object(
  {
    ...engineFields,
    confidence: Type.Union([Type.Literal('high'), Type.Literal('low')], {
      description:
        'high: a curated list has this very name, or its registrable domain. low: an aggregated list, a name in between, or a name that is too well known to be believed bad for one entry',
    }),
  },
  { title: 'DomainEngineEntry' },
);

const blockFields = {
  detections: Type.Integer({ description: 'Engines that list it' }),
  engines_count: Type.Integer({ description: 'Engines that answered' }),
  detection_rate: Type.String({ description: 'Those of these, such as 33%' }),
  scan_time_ms: Type.Integer({ description: 'From the first question to the last answer that was waited for' }),
  unanswered: Type.Array(Type.String(), {
    description: 'Engines that were asked and did not answer, or could not be asked now. Nothing is known of what they list',
  }),
};
const ENGINES = { description: 'By "0", "1", …: those that list it first, then by name' };

/** The block of reports on addresses. */
export const AddressBlacklists = Type.Object(
  { engines: Type.Record(Type.String(), AddressEngine, ENGINES), ...blockFields },
  { title: 'Blacklists', description: 'What blacklist engines say of the address' },
);
/** The block of reports on names: each engine says how sure it is. */
export const HostBlacklists = Type.Object(
  { engines: Type.Record(Type.String(), HostEngine, ENGINES), ...blockFields },
  { title: 'DomainBlacklists', description: 'What blacklist engines say of the host' },
);

/** `exclude_engines` as the client wrote it, name by name. */
export const excludedEngines = (text: string | undefined): readonly string[] => listOf(text);

export const addressBlacklists = (check: BlacklistCheck): Static<typeof AddressBlacklists> => block(check, entryOf);

export const hostBlacklists = (check: BlacklistCheck): Static<typeof HostBlacklists> =>
  block(check, (result) => ({ ...entryOf(result), confidence: result.confidence }));

/** Percent of the engines to be asked that were heard, now or within the TTL of their last answer. 100 where none was to be asked. */
export const engineCoverage = ({ results, unanswered }: Pick<BlacklistCheck, 'results' | 'unanswered'>): number =>
  unanswered.length === 0 ? ALL : Math.floor((ALL * results.length) / (results.length + unanswered.length));
const ALL = 100;

/**
 * Throws a free `ApiError` where a report would acquit its subject in the name of engines that were not heard. It is target_limited where our own
 * pacing kept a question back, be it one engine's: of two subjects that it lists, one would be accused and one not. It is upstream_failed where
 * less than half would have been heard without our pacing; fewer silent engines are told by the coverage.
 */
export function refuseBlind({ results, unanswered }: Pick<BlacklistCheck, 'results' | 'unanswered'>): void {
  const all = results.length + unanswered.length;
  const heard = `${results.length === 0 ? 'none' : `only ${results.length}`} of ${all} blacklist engines answered`;
  const paced = unanswered.flatMap(({ name, retry_after_s }) => (retry_after_s === undefined ? [] : [{ name, retry_after_s }]));
  if ((results.length + paced.length) * 2 < all) throw new ApiError('upstream_failed', heard, { retryAfterS: SOON_S });
  if (paced.length === 0) return;
  const names = paced.map(({ name }) => name).join(', ');
  throw new ApiError('target_limited', `blacklist engines are being asked too often: ${names}`, {
    retryAfterS: Math.ceil(Math.max(...paced.map(({ retry_after_s }) => retry_after_s))),
  });
}
const SOON_S = 5;

function block<E>({ results, unanswered, scan_time_ms }: BlacklistCheck, entry: (result: EngineResult) => E) {
  const detections = results.filter(({ detected }) => detected).length;
  return {
    engines: Object.fromEntries(results.map((result, index) => [String(index), entry(result)])),
    detections,
    engines_count: results.length,
    detection_rate: `${results.length === 0 ? 0 : Math.round((100 * detections) / results.length)}%`,
    scan_time_ms: Math.round(scan_time_ms),
    unanswered: unanswered.map(({ name }) => name),
  };
}

const entryOf = ({ name, detected, reference, elapsed_ms }: EngineResult): Static<typeof AddressEngine> => ({
  name,
  detected,
  reference,
  elapsed_ms: Math.round(elapsed_ms),
});
