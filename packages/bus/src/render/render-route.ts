import type { RenderKind } from '@vedette/contract';
import { nameOf, type RendererId, type RendererPresence, type RendererView } from './renderer-presence.ts';

/** Any renderer with room, or this one alone. */
export type RenderRoute = 'any' | RendererId;

/** The failures of a render so far. */
export interface RenderHistory {
  /** Renderers that could not do it, were lost with it, or said nothing; and when. */
  avoid: Map<string, number>;
  /** How often it had begun in vain. */
  starts: number;
  /** No renderer took the open job: one is asked by name, to learn whether it is there at all. */
  named: boolean;
}

/** The renderer to ask; undefined when none is known. */
export function routeRender(
  presence: Pick<RendererPresence, 'renderers' | 'well' | 'heardAt'>,
  { kind, avoid, starts, named }: RenderHistory & { kind: RenderKind },
): RenderRoute | undefined {
  const here = presence.renderers().filter(({ state }) => state !== 'gone' && state !== 'draining');
  const well = presence.well(kind);
  const choices = well.filter((one) => !avoid.has(nameOf(one)));
  const alike = choices.length === here.length && choices.every(({ state }) => state === 'ready');
  // Where none was heard, the server knows better.
  if (alike && !named && (choices.length > 0 || starts === 0)) return 'any';
  const back = well.filter((one) => presence.heardAt(one) > (avoid.get(nameOf(one)) ?? Infinity));
  return (choices.length > 0 ? choices : back).toSorted((a, b) => roomOf(b) - roomOf(a))[0];
}

/** Room that it is believed to have. */
export const roomOf = ({ slots, beat }: Pick<RendererView, 'slots' | 'beat'>): number => slots - beat.slots.used;
