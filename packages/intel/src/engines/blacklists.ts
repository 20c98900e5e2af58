import type {
  BlacklistCheck,
  BlacklistOptions,
  Blacklists,
  EngineResult,
  Names,
  Networks,
  UnansweredEngine,
  Urls,
} from '../ports/index.ts';
import type { Clock, EngineStatus, Resolver, SourceCheck } from '@vedette/contract';
import { checkEngine } from './catalogue/check.ts';
import { networksOver } from '../networks/index.ts';
import { BEING_LOADED } from '../risk/index.ts';
import { readMeanings } from './codes.ts';
import { type Engine, folded, isZoneEngine, listOfEngine } from './engine.ts';
import { isDoubtful, isShared } from './guard.ts';
import type { HealthOptions } from './health.ts';
import { addressSubject, type AnySubject, nameSubject, type Subject, urlSubject } from './questions.ts';
import { type ListAges, readLabel, sightingsOf } from './sightings.ts';
import { statusOf } from './status.ts';
import { Verdicts } from './verdicts.ts';
import { type Outcome, type ZoneAnswer, ZoneAsker } from './zone-asker.ts';
import { askZones, type EngineAnswer, type ZoneToAsk } from './zone-round.ts';

export interface BlacklistsOptions {
  catalogue: readonly Engine[];
  networks: Pick<Networks, 'marks' | 'hasList'>;
  names: Pick<Names, 'listings' | 'hasList' | 'rank'>;
  urls: Urls;
  /** The resolver of the health checks, which are the operator's own traffic; requests bring their own. */
  resolver: Resolver;
  clock: Clock;
  /** Whether our resolvers and our network answer, asked anew; unset where that cannot be known. */
  isOnline?: (() => Promise<boolean>) | undefined;
  /** Whether verdicts are kept as long as their TTLs allow. */
  cache: boolean;
  onHealth: HealthOptions['onChange'];
  onOutcome(engine: string, outcome: Outcome, ms: number): void;
}

/** The blacklists of one process. */
export interface OpenBlacklists extends Blacklists {
  /** Has the zones that are on tried, now and every hour. Without it none of them is asked. */
  start(): void;
  stop(): void;
  status(): EngineStatus[];
  /** Has listings of lists in memory have the ages that feeds know. */
  ageBy(feeds: Omit<ListAges, 'today'>): void;
  /** Tries an engine, on or off, and changes nothing by it. Undefined for an unknown one. */
  tryEngine(id: string): Promise<SourceCheck | undefined>;
}

/** Asks engines about subjects: all at once, for 400 ms, whatever each of them does. */
export function createBlacklists(options: BlacklistsOptions): OpenBlacklists {
  const { networks, names, urls, clock, catalogue, onHealth: onChange, resolver } = options;
  const verdicts = options.cache ? new Verdicts(clock) : undefined;
  const ages: ListAges = {
    today: () => (clock.today?.() ?? new Date()).getTime(),
    overdueDays: () => 0,
    firstDay: () => null,
    isAwaited: () => false,
  };
  // By name, as reports have them: sorting what is in order costs little.
  const enabled = catalogue.filter((engine) => engine.enabled).toSorted((a, b) => compare(a.name, b.name));
  const zones = enabled.filter(isZoneEngine);
  const ways = { resolver, clock, verdicts, onChange, isOnline: options.isOnline };
  const askers = new Map(zones.map((engine) => [engine.id, new ZoneAsker(engine, ways)]));

  const check = async (
    engines: readonly Engine[],
    subject: Subject,
    { resolver, signal, key }: BlacklistOptions,
  ): Promise<BlacklistCheck> => {
    signal.throwIfAborted();
    const begun = clock.now();
    const answers: EngineAnswer[] = [];
    const count = ({ engine, answer, ms }: EngineAnswer): void => options.onOutcome(engine.id, answer.outcome, ms);
    const inMemory = listReader(subject, { networks, names, urls }, ages);
    const toAsk: ZoneToAsk[] = [];
    for (const engine of engines) {
      const asker = askers.get(engine.id);
      const known = asker && !isLocal(engine, subject, options) ? asker.kept(subject, key) : inMemory(engine);
      if (known) answers.push({ engine, answer: known, ms: clock.now() - begun });
      else if (asker) toAsk.push({ engine, asker });
    }
    answers.forEach(count);
    const round =
      toAsk.length === 0
        ? { answers: [], started: begun }
        : await askZones(toAsk, { subject, key, resolver, signal, clock, isOnline: options.isOnline, onAnswer: count });
    signal.throwIfAborted();
    return { ...sorted([...answers, ...round.answers], subject, names), scan_time_ms: clock.now() - round.started };
  };

  const chosen = (subject: AnySubject, request: Pick<BlacklistOptions, 'exclude' | 'key'>): Engine[] => chosenOf(enabled, subject, request);

  return {
    async address(address, request) {
      const subject = addressSubject(address);
      if (!subject) throw new TypeError('not an address');
      return await check(chosen(subject, request), subject, request);
    },
    async host(host, request) {
      const subject = nameSubject(host, (name) => isShared(name, names));
      return await check(chosen(subject, request), subject, request);
    },
    hostInMemory(host) {
      const subject = nameSubject(host, (name) => isShared(name, names));
      const engines = chosen(subject, { exclude: [], key: undefined });
      return fromMemory(
        engines.filter((engine) => !askers.has(engine.id) || isLocal(engine, subject, options)),
        subject,
        options,
        ages,
      );
    },
    url(url, { exclude }) {
      const subject = urlSubject(url, (name) => isShared(name, names));
      const engines = chosen(subject ?? { family: 'url', entries: [url], registrable: '' }, { exclude, key: undefined });
      if (subject) return fromMemory(engines, subject, options, ages);
      return { results: [], unanswered: engines.map(({ name }) => ({ name, why: 'the URL is too long to be listed' })), scan_time_ms: 0 };
    },
    start: () => askers.forEach((asker) => asker.start()),
    stop: () => askers.forEach((asker) => asker.stop()),
    ageBy: (feeds) => void Object.assign(ages, feeds),
    tryEngine: (id) => checkEngine(id, options),
    status: () => catalogue.map((engine) => statusOf(engine, askers.get(engine.id), { networks, names, urls })),
  };
}

/** Whether the data of a zone are in memory. They are of IPv4 or names: what rbldnsd has of IPv6 is mostly in a file of its own. */
const isLocal = (
  engine: Engine,
  { family }: Pick<Subject, 'family'>,
  { names, networks }: Pick<BlacklistsOptions, 'names' | 'networks'>,
): boolean => family !== 6 && engine.key !== true && (family === 0 ? names : networks).hasList(listOfEngine(engine));

/** The engines that are asked about a subject. */
function chosenOf(enabled: readonly Engine[], subject: AnySubject, { exclude, key }: Pick<BlacklistOptions, 'exclude' | 'key'>): Engine[] {
  if (subject.entries.length === 0) return [];
  const left = new Set(exclude.map(folded));
  const isLeft = ({ name, id }: Engine): boolean => left.size > 0 && (left.has(folded(name)) || left.has(folded(id)));
  return enabled.filter((engine) => knows(engine, subject) && (key !== undefined || !engine.key) && !isLeft(engine));
}

/** Asks lists in memory alone. */
function fromMemory(engines: readonly Engine[], subject: AnySubject, options: BlacklistsOptions, ages: ListAges): BlacklistCheck {
  const inMemory = listReader(subject, options, ages);
  const answers = engines.map((engine) => {
    const answer = inMemory(engine);
    options.onOutcome(engine.id, answer.outcome, 0);
    return { engine, answer, ms: 0 };
  });
  return { ...sorted(answers, subject, options.names), scan_time_ms: 0 };
}

const knows = (engine: Engine, { family }: AnySubject): boolean =>
  family === 0
    ? engine.subject === 'name'
    : family === 'url'
      ? engine.subject === 'url'
      : engine.subject === 'address' && engine.families.includes(family);

/** Reads the lists in memory about a subject, which are looked up once for all engines. */
function listReader(
  subject: AnySubject,
  { networks, names, urls }: Pick<BlacklistsOptions, 'networks' | 'names' | 'urls'>,
  ages: ListAges,
): (engine: Engine) => ZoneAnswer {
  const [own = ''] = subject.entries;
  const found: readonly { list: string; entry: string; label: string }[] =
    subject.family === 0
      ? names.listings(own).map((listing) => ({ ...listing, label: '' }))
      : subject.family === 'url'
        ? urls.listings(subject.entries).map((listing) => ({ ...listing, label: '' }))
        : networks.marks(own).map((mark) => ({ ...mark, entry: own }));
  const source = subject.family === 0 ? names : subject.family === 'url' ? urls : networks;
  return (engine) => {
    const list = listOfEngine(engine);
    const none = ages.isAwaited(list) ? AWAITED : source.hasList(list) ? CLEAN : NOT_LOADED;
    if (!found.some((hit) => hit.list === list)) return none;
    const hits = found.filter((hit) => hit.list === list);
    // A listing above a name that belongs to another owner blames others.
    const entry = subject.entries.find((name) => hits.some((hit) => hit.entry === name));
    if (entry === undefined) return none;
    const read = hits.map(({ label }) => readLabel(label));
    const labels = [...new Set(read.map(({ says }) => says))].filter((says) => says !== '');
    const sightings = sightingsOf(list, read, ages, () => (subject.family === 4 || subject.family === 6 ? networksOver(own) : [entry]));
    if (!isZoneEngine(engine)) return { state: 'listed', meanings: labels, entry, doubtful: false, outcome: 'listed', sightings };
    const verdict = readMeanings(engine, labels.length > 0 ? labels : onlyCode(engine));
    return verdict.state === 'unknown'
      ? { ...verdict, entry, outcome: 'refused' }
      : { ...verdict, entry, outcome: verdict.state, sightings };
  };
}

const CLEAN: ZoneAnswer = Object.freeze({ state: 'clean', meanings: [], entry: '', outcome: 'clean' });
const NOT_LOADED: ZoneAnswer = Object.freeze({ state: 'unknown', why: 'its list is not loaded', entry: '', outcome: 'off' });
/** A list of several parts says nothing of a subject that is on none of those that have come. */
const AWAITED: ZoneAnswer = Object.freeze({ ...NOT_LOADED, why: BEING_LOADED });

/** The code of entries without one, as lists of names are kept: the first of the zone. */
const onlyCode = ({ codes = {} }: Engine): string[] =>
  Object.keys(codes)
    .slice(0, 1)
    .map((code) => code.replace(/-.*/, ''));

function sorted(
  answers: readonly EngineAnswer[],
  subject: AnySubject,
  names: Pick<Names, 'listings' | 'rank'>,
): Pick<BlacklistCheck, 'results' | 'unanswered'> {
  const about = encodeURIComponent(subject.entries[0]!);
  const results: EngineResult[] = [];
  const silent: UnansweredEngine[] = [];
  for (const { engine, answer, ms } of answers)
    if (answer.state === 'unknown') silent.push(unanswered(engine, answer));
    else results.push(resultOf({ engine, answer, ms, about }, subject, names));
  return { results: results.sort(byDetection), unanswered: silent.sort((a, b) => compare(a.name, b.name)) };
}

const unanswered = ({ name }: Engine, { why, ours }: ZoneAnswer & { state: 'unknown' }): UnansweredEngine => ({
  name,
  why,
  ...(ours !== undefined && { ours }),
});

/** An answer that says something, and the subject as it stands in URLs. */
interface Heard extends EngineAnswer {
  answer: Exclude<ZoneAnswer, { state: 'unknown' }>;
  about: string;
}

function resultOf({ engine, answer, ms, about }: Heard, subject: AnySubject, names: Pick<Names, 'listings' | 'rank'>): EngineResult {
  const { id, name, weight, group, meaning } = engine;
  const detected = answer.state === 'listed';
  const doubtful = isDoubtful(answer, subject, names);
  const { meanings } = answer;
  const result: EngineResult = {
    id,
    name,
    detected,
    reference: engine.reference.includes('{') ? engine.reference.replace(/\{(?:ip|host)\}/, about) : engine.reference,
    elapsed_ms: ms,
    confidence: doubtful ? 'low' : engine.confidence,
    doubtful,
    weight,
    group,
    meanings: detected && meaning !== undefined && !meanings.includes(meaning) ? [meaning, ...meanings] : meanings,
  };
  return detected && answer.sightings ? { ...result, sightings: answer.sightings } : result;
}

const byDetection = (a: EngineResult, b: EngineResult): number => Number(b.detected) - Number(a.detected) || compare(a.name, b.name);
/** Orders by code points, which is the same everywhere. */
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
