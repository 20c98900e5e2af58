import { randomBytes } from 'node:crypto';
import { type Clock, ENDED, type DnsPorts, lookUp } from '@vedette/contract';
import { tagValue } from '../tag-list/index.ts';
import { type DkimKeys, dkimHostOf, fetchKeys } from './key-record.ts';
import { DKIM_SELECTORS, POPULAR_SELECTORS } from './selectors.ts';

/** The result of a search for a domain's selector. */
export interface SelectorSearch {
  /** The most popular selector with a key, of those asked together; `*` where a wildcard answers for all; empty when none was found. */
  selector: string;
  keys: DkimKeys;
  /** How many selectors were asked for. */
  tried: number;
  /** Whether only the popular ones were asked for, as the domain itself does not exist. */
  pruned: boolean;
}

/** A burst fits the socket buffers on the way (277 short datagrams by Linux's default), and two are enough; a pause lets them drain. */
const BURST = 260;
const PAUSE_MS = 2;

/**
 * Looks for a key at the known selectors: the popular ones first, together with the questions that show whether more makes sense, then all
 * others in bursts, in about two round trips. It stops where the domain itself does not exist, where a wildcard has a key for every name,
 * and once a key is found; a wildcard that revokes all keys but those of their own is the answer where there are none. Where `_domainkey` alone does not exist it goes on, although nothing can be below (RFC 8020): servers are common
 * that say so of every name without records of its own.
 */
export async function findSelector(domain: string, ports: DnsPorts & { clock: Clock }): Promise<SelectorSearch> {
  const random = randomBytes(12).toString('hex');
  const [apex, subtree, wildcard, popular] = await Promise.all([
    lookUp(ports, domain, 'SOA'),
    lookUp(ports, `_domainkey.${domain}`, 'TXT'),
    fetchKeys(random, domain, ports),
    Promise.all(POPULAR_SELECTORS.map((selector) => fetchKeys(selector, domain, ports))),
  ]);
  const everywhere = new Set([...wildcard.records.map(({ text }) => text), ...wildcard.strays]);
  const isOwn = ({ records }: DkimKeys) => records.some(({ text }) => !everywhere.has(text));

  const inUse = popular.findIndex((keys) => isOwn(keys) && !isRevoked(keys));
  const found = inUse === -1 ? popular.findIndex(isOwn) : inUse;
  const popularOnly = { tried: POPULAR_SELECTORS.length, pruned: false };
  if (found !== -1) return { ...popularOnly, selector: POPULAR_SELECTORS[found]!, keys: popular[found]! };
  const error = popular.find((keys) => keys.error !== '')?.error ?? '';
  const nothing = { dkimHost: '', cname: '', records: [], strays: [], error };
  const hasWildcard = wildcard.records.length > 0;
  const none: SelectorSearch = hasWildcard
    ? { ...popularOnly, selector: '*', keys: { ...wildcard, dkimHost: dkimHostOf('*', domain), error } }
    : { ...popularOnly, selector: '', keys: nothing };
  if (hasWildcard && !isRevoked(wildcard)) return none;
  if (!hasWildcard && apex.state === 'nxdomain' && subtree.state === 'nxdomain') return { ...none, pruned: true };
  if (popular.every((keys) => keys.error !== '')) return none;
  return searchOthers(none, domain, isOwn, ports);
}

const isRevoked = ({ records }: DkimKeys): boolean => records.every(({ list }) => tagValue(list, 'p') === '');

/** Asks for all but the popular selectors; later ones are not waited for once an earlier one has a key. `none` is the answer where none has. */
async function searchOthers(
  none: SelectorSearch,
  domain: string,
  isOwn: (keys: DkimKeys) => boolean,
  { resolver, clock, signal }: DnsPorts & { clock: Clock },
): Promise<SelectorSearch> {
  const enough = new AbortController();
  const others = DKIM_SELECTORS.slice(POPULAR_SELECTORS.length);
  const lookups: Promise<DkimKeys>[] = [];
  const progress = { found: false };
  try {
    for (let start = 0; start < others.length; start += BURST) {
      if (start > 0) await clock.sleep(PAUSE_MS, signal);
      if (progress.found) break;
      // One signal a burst: a listener is compared with all those that its signal already has.
      const ports = { resolver, signal: AbortSignal.any([signal, enough.signal]) };
      for (const selector of others.slice(start, start + BURST)) {
        const keys = fetchKeys(selector, domain, ports);
        keys.then((answer) => (progress.found ||= isOwn(answer))).catch(() => {}); // awaited below, where it matters
        lookups.push(keys);
      }
    }
    const tried = POPULAR_SELECTORS.length + lookups.length;
    let failed = none.keys.error;
    for (const [i, answer] of lookups.entries()) {
      const keys = await answer;
      if (isOwn(keys)) return { ...none, selector: others[i]!, keys, tried };
      failed ||= keys.error;
    }
    return { ...none, tried, keys: { ...none.keys, error: failed } };
  } finally {
    enough.abort(ENDED);
  }
}
