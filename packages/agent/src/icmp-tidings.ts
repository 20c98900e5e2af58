import { ICMP_REMEDY } from '@vedette/probes/engines';

/** An ICMP engine that does not work here, and why, as it says itself. */
export interface PassedOver {
  note: string;
  cause: unknown;
}

/** The log line about the ICMP engines of an agent, whatever is wrong with them. */
export function icmpTidings(works: boolean, passedOver: readonly PassedOver[]): { level: 'debug' | 'warn' | 'error'; text: string } {
  const notes = passedOver
    .map(({ note, cause }) => (cause instanceof Error ? `${note} (${cause.message.replace(/\s+/g, ' ')})` : note))
    .join('; ');
  if (!works) return { level: 'error', text: `this agent cannot ping: ${notes}. ${ICMP_REMEDY}` };
  return notes === '' ? { level: 'debug', text: 'the preferred ICMP engine works' } : { level: 'warn', text: notes };
}
