import { ApiError, listOf } from '@vedette/contract';
import type { BlacklistCheck, EngineResult, OwnFault } from '@vedette/intel/ports';
import { type Static, Type } from 'typebox';

/** The two parameters of every operation that asks engines. */
export const BLACKLIST_PARAMETERS = {
  exclude_engines: Type.Optional(
    Type.String({
      maxLength: 4096,
      description:
        'Names or ids of engines to leave out, separated by commas (docs/engines.md). Case, spaces and punctuation do not count; unknown names are ignored',
      examples: ['SpamCop,UCEPROTECT Level 1'],
    }),
  ),
  blocklist_key: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9]{20,40}$',
      description:
        'Your query key of Spamhaus DQS. Its engines are queried with it, for this request only; the key is neither stored nor logged',
      examples: ['abcdefghijklmnopqrstuvwxyz'],
    }),
  ),
};

const Seen = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Null()], { description: `${description}; null if it is not known; only for listings` }));
const engineFields = {
  name: Type.String({ description: 'Name of the engine, as `exclude_engines` takes it' }),
  detected: Type.Boolean({ description: 'The engine lists the requested address or host' }),
  reference: Type.String({ description: 'URL of the lookup page of the engine; empty if it has none' }),
  elapsed_ms: Type.Integer({ description: 'Response time of the engine in ms; 0 for a list in memory' }),
  first_seen: Seen('Day on which the source first saw the subject, or our copy of its list first had it, YYYY-MM-DD'),
  last_seen: Seen('Day on which the source of the engine last saw the subject, YYYY-MM-DD'),
};
const AddressEngine = Type.Object(engineFields, { title: 'EngineEntry' });
const HostEngine = Type.Object(
  {
    ...engineFields,
    confidence: Type.Union([Type.Literal('high'), Type.Literal('low')], {
      description:
        'high: a curated list has the host or its registrable domain. low: an aggregated list, a name between these two, or a well-known name with a single entry',
    }),
  },
  { title: 'DomainEngineEntry' },
);

const blockFields = {
  detections: Type.Integer({ description: 'Number of engines that list the requested address or host' }),
  engines_count: Type.Integer({ description: 'Number of engines that answered' }),
  detection_rate: Type.String({ description: '`detections` as a share of `engines_count`, such as `33%`' }),
  scan_time_ms: Type.Integer({ description: 'Time from the first question to the last answer, in ms' }),
  unanswered: Type.Array(Type.String(), {
    description: 'Names of the engines that did not answer or could not be queried; their listings are not known',
  }),
};
const ENGINES = { description: 'Engines that answered, by "0", "1", …: listing engines first, then by name' };

/** The block of reports on addresses. */
export const AddressBlacklists = Type.Object(
  { engines: Type.Record(Type.String(), AddressEngine, ENGINES), ...blockFields },
  { title: 'Blacklists', description: 'Listings of the address by blacklist engines' },
);
/** The block of reports on names: each engine says how sure it is. */
export const HostBlacklists = Type.Object(
  { engines: Type.Record(Type.String(), HostEngine, ENGINES), ...blockFields },
  { title: 'DomainBlacklists', description: 'Listings of the host by blacklist engines' },
);

/** `exclude_engines` as the client wrote it, name by name. */
export const excludedEngines = (text: string | undefined): readonly string[] => listOf(text);

export const addressBlacklists = (check: BlacklistCheck): Static<typeof AddressBlacklists> => block(check, entryOf);

export const hostBlacklists = (check: BlacklistCheck): Static<typeof HostBlacklists> =>
  block(check, (result) => ({ ...entryOf(result), confidence: result.confidence }));

/**
 * Throws a free `ApiError` where a report would acquit its subject in the name of engines that were not heard. One engine that is not heard by our
 * own fault is enough: of two subjects that it lists, one would be accused and one not. That is target_limited where our pacing kept the question
 * back, and upstream_failed where our network failed. It is upstream_failed, too, where less than half would have been
 * heard without our faults; fewer silent engines are told by the coverage.
 */
export function refuseBlind({ results, unanswered }: Pick<BlacklistCheck, 'results' | 'unanswered'>): void {
  const all = results.length + unanswered.length;
  const heard = `${results.length === 0 ? 'none' : `only ${results.length}`} of ${all} blacklist engines answered`;
  const unheard = unanswered.flatMap(({ name, ours }) => (ours === undefined ? [] : [{ name, ...ours }]));
  if ((results.length + unheard.length) * 2 < all) throw new ApiError('upstream_failed', heard, { retryAfterS: SOON_S });
  if (unheard.length === 0) return;
  const { cause } = unheard.find((one) => one.cause !== 'paced') ?? unheard[0]!;
  const names = unheard.map(({ name }) => name).join(', ');
  throw new ApiError(cause === 'paced' ? 'target_limited' : 'upstream_failed', `${OWN_FAULTS[cause]}: ${names}`, {
    retryAfterS: Math.ceil(Math.max(...unheard.map(({ retry_after_s }) => retry_after_s))),
  });
}
const SOON_S = 5;
const OWN_FAULTS: Record<OwnFault['cause'], string> = {
  paced: 'blacklist engines are queried too often',
  network: 'the network of this service failed while it asked blacklist engines',
};

function block<E>({ results, unanswered, scan_time_ms }: BlacklistCheck, entry: (result: EngineResult) => E) {
  const detections = results.filter(({ detected }) => detected).length;
  const engines: Record<string, E> = {};
  for (const [index, result] of results.entries()) engines[index] = entry(result);
  return {
    engines,
    detections,
    engines_count: results.length,
    detection_rate: `${results.length === 0 ? 0 : Math.round((100 * detections) / results.length)}%`,
    scan_time_ms: Math.round(scan_time_ms),
    unanswered: unanswered.map(({ name }) => name),
  };
}

function entryOf({ name, detected, reference, elapsed_ms, sightings }: EngineResult): Static<typeof AddressEngine> {
  const entry = { name, detected, reference, elapsed_ms: Math.round(elapsed_ms) };
  return detected ? { ...entry, first_seen: sightings?.first_seen ?? null, last_seen: sightings?.last_seen ?? null } : entry;
}
