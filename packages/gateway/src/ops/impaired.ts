import { ICMP_REMEDY } from '@vedette/probes/engines';
import { missingSandbox } from '../request/parsers.ts';
import type { Parts } from '../request/parts.ts';
import { missingRenderer } from '../request/renderers.ts';

/** The parts without which a gateway serves all the same, each with the reason and, where there is one, the operator's remedy: `renderers: VEDETTE_RENDERER is off`. */
export function impairedParts(parts: Parts): string[] {
  const { intel, parsers } = parts;
  const { resolverTest } = intel;
  const reasons = {
    parsers: missingSandbox(parsers),
    // Agents have their own.
    resolvers: resolverTest === undefined || resolverTest.state.ok ? undefined : resolverTest.state.problem,
    renderers: missingRenderer(parts),
    icmp: missingIcmp(parts),
  };
  return Object.entries(reasons).flatMap(([part, reason]) => (reason === undefined ? [] : [`${part}: ${reason}`]));
}

/** Set where agents serve, and none of them has an ICMP engine: they offer no pings then. */
function missingIcmp({ fleet }: Parts): string | undefined {
  const serving = fleet.presence.agents().filter(({ state }) => state === 'ready' || state === 'degraded');
  return serving.length === 0 || serving.some(({ beat }) => beat.slots['ping'] !== undefined)
    ? undefined
    : `no agent has the right to send ICMP. ${ICMP_REMEDY}`;
}
