import { ICMP_REMEDY } from '@vedette/probes/engines';
import { missingSandbox } from '../request/parsers.ts';
import type { Parts } from '../request/parts.ts';
import { missingRenderer } from '../request/renderers.ts';

/** A part that a gateway serves without. */
export interface ImpairedPart {
  part: 'parsers' | 'resolvers' | 'renderers' | 'icmp';
  /** Why, with the operator's remedy where there is one. */
  reason: string;
}

/** The parts without which a gateway serves all the same. */
export function impairedParts(parts: Parts): ImpairedPart[] {
  const { intel, parsers } = parts;
  // Agents have resolvers of their own.
  const resolvers = intel.health.verdict('resolver') === 'bad' ? intel.health.problem('resolver') : undefined;
  const reasons: [ImpairedPart['part'], string | undefined][] = [
    ['parsers', missingSandbox(parsers)],
    ['resolvers', resolvers],
    ['renderers', missingRenderer(parts)],
    ['icmp', missingIcmp(parts)],
  ];
  return reasons.flatMap(([part, reason]) => (reason === undefined ? [] : [{ part, reason }]));
}

/** Set where agents serve, and none of them has an ICMP engine: they offer no pings then. */
function missingIcmp({ fleet }: Parts): string | undefined {
  const serving = fleet.presence.agents().filter(({ state }) => state === 'ready' || state === 'degraded');
  return serving.length === 0 || serving.some(({ beat }) => beat.slots['ping'] !== undefined)
    ? undefined
    : `no agent has the right to send ICMP. ${ICMP_REMEDY}`;
}
