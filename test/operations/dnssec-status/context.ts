import { type CentralOperation, createAddressPolicy, type Resolver, type TrustAnchor } from '@vedette/contract';
import { IANA_TRUST_ANCHORS } from '@vedette/intel/dnssec';
import { systemClock } from '@vedette/probes/net';
import { Compile } from 'typebox/compile';
import type { Opened } from '../answer.ts';

/** What the gateway gives a central operation, as far as the DNS operations use it. */
export const dnsContext = (resolver: Resolver, options: { now?: Date; trustAnchors?: readonly TrustAnchor[] } = {}): Opened => ({
  resolver,
  dialler: {
    policy: createAddressPolicy(),
    tcp: () => Promise.reject(new Error('DNS operations open no connection')),
    operatorTcp: () => Promise.reject(new Error('DNS operations open no connection')),
  },
  clock: systemClock,
  ca: [],
  trustAnchors: options.trustAnchors ?? IANA_TRUST_ANCHORS,
  signal: new AbortController().signal,
  today: () => options.now ?? new Date(),
  account: { id: 'test', usage: () => Promise.reject(new Error('DNS operations read no account')) },
});

/** What in a report its schema does not allow: nothing, or clients are told lies about it. */
export const schemaErrors = (operation: Pick<CentralOperation, 'response'>, report: unknown) => [
  ...Compile(operation.response).Errors(report),
];
