import type { BlacklistCheck, EngineResult } from '@vedette/intel/ports';
import type { CentralContext } from '../kit/index.ts';
import type { UrlQuery } from './query.ts';
import type { Visited } from './page.ts';

/** Listings of the URLs of the way. */
export interface UrlListings {
  /** Each engine once, detected where it lists any URL of the way. */
  check: BlacklistCheck;
  detections: readonly EngineResult[];
  /** Names of the engines that list a hop, by the hop's place. */
  byHop: readonly (readonly string[])[];
}

/** Looks up every URL of the way, the one that the client sent, and one that was not followed. */
export function judgeListings({ raw }: Visited, { start, exclude }: UrlQuery, { blacklists }: CentralContext): UrlListings {
  const look = (url: string): BlacklistCheck => blacklists.url(url, { exclude });
  const hops = raw.hops.map(({ url, target }) => (target ? look(url) : undefined));
  const onward = raw.hops.at(-1)!.redirect?.to;
  const further = onward !== undefined && /^https?:/.test(onward) ? [look(onward)] : [];
  const first = hops[0] ?? look(start.url.href);
  const all = [first, ...hops.slice(1), ...further].flatMap((check) => check ?? []);
  const results = first.results
    .map(
      (result) =>
        all.flatMap((check) => check.results.filter(({ id, detected }) => id === result.id && detected)).toSorted(bySureness)[0] ?? result,
    )
    .toSorted((a, b) => Number(b.detected) - Number(a.detected));
  return {
    check: { ...first, results },
    detections: results.filter(({ detected }) => detected),
    byHop: hops.map((check) => check?.results.flatMap(({ detected, name }) => (detected ? [name] : [])) ?? []),
  };
}

const bySureness = (a: EngineResult, b: EngineResult): number => Number(a.doubtful) - Number(b.doubtful);
