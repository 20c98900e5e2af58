import type { CentralOperation } from '@vedette/operations/kit';
import type { Resolver, TrustAnchor } from '@vedette/contract';
import { IANA_TRUST_ANCHORS } from '@vedette/mail/dnssec';
import { systemClock } from '@vedette/probes/net';
import { Compile } from 'typebox/compile';
import type { Opened } from '../answer.ts';
import { SHUT } from '../shut.ts';

/** What the gateway gives a central operation, as far as the DNS operations use it. */
export const dnsContext = (resolver: Resolver, options: { now?: Date; trustAnchors?: readonly TrustAnchor[] } = {}): Opened => ({
  ...SHUT,
  resolver,
  clock: systemClock,
  trustAnchors: options.trustAnchors ?? IANA_TRUST_ANCHORS,
  today: () => options.now ?? new Date(),
});

/** What in a report its schema does not allow: nothing, or clients are told lies about it. */
export const schemaErrors = (operation: Pick<CentralOperation, 'response'>, report: unknown) => [
  ...Compile(operation.response).Errors(report),
];
