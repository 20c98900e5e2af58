import { count, Enum, type Reason, REASONS } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import type { Tried } from './staggered.ts';

/** The addresses that were tried, as reports show them. */
export const Attempts = Type.Array(
  Type.Object(
    {
      ip_address: Type.String({ description: 'IP address of the host' }),
      outcome: Enum(['connected', 'silent', ...(Object.keys(REASONS) as Reason[])], {
        description: 'Outcome: connected; silent if another address answered first or time ran out; otherwise the failure reason',
      }),
      began_ms: count('Start of the attempt in ms since the start of the request'),
      ms: count('Duration of the attempt in ms'),
    },
    { title: 'ConnectAttempt' },
  ),
  {
    maxItems: 16,
    description:
      'Attempted addresses in order. A failure or 200 ms of silence starts the next one, of the other address family if there is one (RFC 8305)',
  },
);
export type Attempts = Static<typeof Attempts>;

/** `started`: when the request began; `connected`: the address that is asked. */
export const attemptsOf = (
  tried: readonly Tried[],
  { started, connected, now }: { started: number; connected: string | undefined; now: number },
): Attempts =>
  tried.map(({ address, began, ended = now, failure }) => ({
    ip_address: address,
    outcome: failure?.code ?? (address === connected ? 'connected' : 'silent'),
    began_ms: Math.max(0, Math.floor(began - started)),
    ms: Math.max(0, Math.floor(ended - began)),
  }));
