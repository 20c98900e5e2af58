import type { Feeds } from '@vedette/intel/feeds';
import { ICMP_REMEDY } from '@vedette/probes/engines';
import { describeStray, ownStraysOf, straysOf } from '../fleet/name-comparison.ts';
import { missingSandbox } from '../request/parsers.ts';
import type { Parts } from '../request/parts.ts';
import { missingRenderer } from '../request/renderers.ts';

/** A part that a gateway serves without. */
export interface ImpairedPart {
  part: 'parsers' | 'clock' | 'resolvers' | 'names' | 'renderers' | 'icmp' | 'feeds' | 'sign-in';
  /** Why, with the operator's remedy where there is one. */
  reason: string;
}

/** The parts without which a gateway serves all the same. */
export function impairedParts(parts: Parts, feeds: Feeds): ImpairedPart[] {
  const { intel, parsers } = parts;
  // Agents have resolvers of their own.
  const resolvers = intel.health.verdict('resolver') === 'bad' ? intel.health.problem('resolver') : undefined;
  const reasons: [ImpairedPart['part'], string | undefined][] = [
    ['parsers', missingSandbox(parsers)],
    ['resolvers', resolvers],
    ['clock', wrongClock(parts)],
    ['names', strayNames(parts)],
    ['renderers', missingRenderer(parts)],
    ['icmp', missingIcmp(parts)],
    ['feeds', missingFeeds(feeds)],
    ['sign-in', parts.provider?.problem],
  ];
  return reasons.flatMap(([part, reason]) => (reason === undefined ? [] : [{ part, reason }]));
}

const DAY_S = 86_400;

/** Set where the clock of this machine is not that of most locations. */
function wrongClock({ fleet }: Parts): string | undefined {
  const aheadS = Math.round((fleet.presence.ownSkewMs() ?? 0) / 1000);
  if (aheadS === 0) return undefined;
  const by = Math.abs(aheadS) > 2 * DAY_S ? `${Math.round(Math.abs(aheadS) / DAY_S)} days` : `${Math.abs(aheadS)} s`;
  return `the clock of this machine is ${by} ${aheadS > 0 ? 'ahead of' : 'behind'} those of most locations. Certificates are judged by theirs; start a time service`;
}

const NAMED_STRAYS = 3;

/** Set where the resolver of a location disagrees with this gateway and most locations, or this gateway's with all. */
function strayNames({ fleet, intel }: Parts): string | undefined {
  const [own] = ownStraysOf(intel.health, fleet.presence);
  if (own)
    return `the resolvers of this gateway answer ${own.answer} for ${own.name}; all ${own.others} locations have ${own.expected}. Set honest ones (VEDETTE_RESOLVERS)`;
  const strays = straysOf(intel.health, fleet.presence);
  if (strays.length === 0) return undefined;
  const more = strays.length > NAMED_STRAYS ? `; and ${strays.length - NAMED_STRAYS} more` : '';
  return `${strays.slice(0, NAMED_STRAYS).map(describeStray).join('; ')}${more}`;
}

/** Set where agents serve, and none of them has an ICMP engine: they offer no pings then. */
function missingIcmp({ fleet }: Parts): string | undefined {
  const serving = fleet.presence.agents().filter(({ state }) => state === 'ready' || state === 'degraded');
  return serving.length === 0 || serving.some(({ beat }) => beat.slots['ping'] !== undefined)
    ? undefined
    : `no agent has the right to send ICMP. ${ICMP_REMEDY}`;
}

const NAMED_FEEDS = 8;

/** Set where lists that are on have never been loaded: reports say nothing by them, for good or ill. */
function missingFeeds(feeds: Feeds): string | undefined {
  const on = feeds.status().filter(({ enabled }) => enabled);
  const missing = on.filter(({ origin }) => origin === 'none').map(({ name }) => name);
  if (missing.length === 0) return undefined;
  const more = missing.length > NAMED_FEEDS ? ` and ${missing.length - NAMED_FEEDS} more` : '';
  return `${missing.length} of ${on.length} feeds are not loaded: ${missing.slice(0, NAMED_FEEDS).join(', ')}${more}. \`vedette feeds check\` tries their sources`;
}
