import { type DnsAnswer, ProbeFailure, type Resolver, type SourceCheck } from '@vedette/contract';
import type { Names, Networks, Urls } from '../../ports/index.ts';
import type { ZoneServer } from '../ask.ts';
import { isDenial, isListing } from '../codes.ts';
import { type Engine, isZoneEngine, type ZoneEngine } from '../engine.ts';
import { BYSTANDERS, familiesOf, type Family, serversOf, shownAnswer, testNames, zoneOf } from '../health.ts';
import { questionName } from '../questions.ts';

type Found = Omit<SourceCheck, 'name'>;
const NUMBERS: Readonly<Record<Family, string>> = { 4: 'IPv4: ', 6: 'IPv6: ', 0: '' };

interface EngineSources {
  catalogue: readonly Engine[];
  networks: Pick<Networks, 'hasList'>;
  names: Pick<Names, 'hasList'>;
  urls: Pick<Urls, 'hasList'>;
  resolver: Resolver;
}

/** Tries an engine once, on or off. Undefined for an unknown one. */
export async function checkEngine(name: string, { catalogue, ...sources }: EngineSources): Promise<SourceCheck | undefined> {
  const engine = catalogue.find(({ id }) => id === name);
  return engine && { name, ...(await found(engine, sources)) };
}

async function found(engine: Engine, { networks, names, urls, resolver }: Omit<EngineSources, 'catalogue'>): Promise<Found> {
  if (engine.key) return { verdict: 'refused', detail: 'it is asked for clients with a key of their own' };
  if (isZoneEngine(engine)) return await checkZone(engine, resolver);
  const { list = '', subject } = engine;
  return { address: networks, name: names, url: urls }[subject].hasList(list)
    ? { verdict: 'ok', detail: `the list ${list} is loaded` }
    : { verdict: 'unreachable', detail: `the list ${list} is not loaded: \`vedette feeds check\`` };
}

/** Asks the zone's own servers, or the configured resolvers where it has none. Tells of the first family with a problem. */
async function checkZone(engine: ZoneEngine, resolver: Resolver): Promise<Found> {
  // Each question has a time of its own.
  const { signal } = new AbortController();
  const zones: string[] = [];
  for (const family of familiesOf(engine)) {
    const zone = zoneOf(engine, family);
    const found = await serversOf(zone, resolver, signal);
    const servers: readonly ZoneServer[] = found.length > 0 ? found : [undefined];
    const tried = await Promise.all(servers.map((server) => check(engine, family, { resolver, signal, server })));
    const problem = tried.find(({ verdict }) => verdict === 'ok') ? undefined : tried[0];
    if (problem) return { ...problem, detail: `${NUMBERS[family]}${problem.detail}` };
    zones.push(`${zone} at ${found.length > 0 ? found.join(', ') : 'our resolvers'}`);
  }
  return { verdict: 'ok', detail: [...new Set(zones)].join('; ') };
}

interface Asking {
  resolver: Resolver;
  signal: AbortSignal;
  server: ZoneServer;
}

async function check(engine: ZoneEngine, family: Family, asking: Asking): Promise<Found> {
  const zone = zoneOf(engine, family);
  const names = testNames(engine, family);
  const about = (key: string) => ask(questionName(key, zone)!, asking);
  const asked = await Promise.all([...(engine.no_test ? [] : [names.listed]), names.clean, ...BYSTANDERS[family]].map(about));
  const failed = asked.find((answer) => answer instanceof ProbeFailure);
  if (failed) return { verdict: 'unreachable', detail: failed.message };
  const answers = asked as DnsAnswer[];
  const odd = answers.map((answer) => oddity(answer)).find((found) => found !== undefined);
  if (odd) return odd;
  const listed = engine.no_test ? undefined : answers.shift();
  const [clean, ...bystanders] = answers;
  if (isListing(clean!) || bystanders.every((answer) => isListing(answer)))
    return {
      verdict: 'lists_too_much',
      detail: `it lists what no list has, such as ${names.clean} or ${BYSTANDERS[family].join(' and ')}`,
    };
  if (!listed || isListing(listed)) return { verdict: 'ok', detail: '' };
  return asking.server === undefined
    ? { verdict: 'moved', detail: `no servers of ${zone} are found, and it does not list its own test entry` }
    : { verdict: 'shape', detail: `it does not list its own test entry (${shownAnswer(listed)})` };
}

/** Set for what is neither a listing nor a denial. */
function oddity(answer: DnsAnswer): Found | undefined {
  if (isListing(answer) || isDenial(answer)) return undefined;
  const detail = `it answers ${shownAnswer(answer)}`;
  if (answer.rcode === 'REFUSED' || shownAnswer(answer).startsWith('127.')) return { verdict: 'refused', detail };
  return answer.rcode === 'NOERROR'
    ? { verdict: 'shape', detail: `${detail}, which is no answer of a blacklist` }
    : { verdict: 'failing', detail };
}

const ask = (name: string, { resolver, signal, server }: Asking): Promise<DnsAnswer | ProbeFailure> =>
  resolver.query(name, 'A', { signal, fresh: true, ...(server !== undefined && { server }) }).catch((error: unknown) => {
    if (error instanceof ProbeFailure) return error;
    throw error;
  });
