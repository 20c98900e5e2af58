import { type Bus, subjects } from '@vedette/bus';
import type { Ledger } from '@vedette/ledger';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { FastifyBaseLogger } from 'fastify';

const Frame = Compile(
  Type.Union([
    Type.Object({ kind: Type.Literal('key'), keyId: Type.String() }),
    Type.Object({ kind: Type.Literal('account'), accountId: Type.String() }),
    Type.Object({ kind: Type.Literal('lockouts') }),
    Type.Object({ kind: Type.Literal('deny_list') }),
    Type.Object({ kind: Type.Literal('locations') }),
  ]),
);

/**
 * Tells the other gateways of revoked keys, lockouts, denied targets and removed locations, and takes over what they tell. A message that
 * is lost costs seconds: caches of keys end after 30 s, and the rest is read again by the second.
 */
export function shareInvalidations({ invalidations }: Ledger, bus: Bus, log: FastifyBaseLogger): void {
  const subject = subjects.keys('changed');
  invalidations.subscribe((invalidation) => bus.publish(subject, JSON.stringify(invalidation)));
  bus.subscribe(subject, ({ data }) => {
    let invalidation: unknown;
    try {
      invalidation = JSON.parse(Buffer.from(data).toString('utf8'));
    } catch {
      invalidation = undefined;
    }
    if (Frame.Check(invalidation)) void invalidations.apply(invalidation);
    else log.warn('an invalidation that is not of the protocol');
  });
}
