import type { RegistryWays } from '../../ports/index.ts';
import type { Resolver } from '@vedette/contract';
import type { WhoisServer } from './whois-domain.ts';

/** The connections and the allowance that one inquiry uses while its clients wait. */
export interface WireWays extends Pick<RegistryWays, 'dialler' | 'isDenied' | 'signal'> {
  resolver: Pick<Resolver, 'addresses'>;
}

/** One answer over RDAP, whatever its status. */
export interface RdapHeard {
  status: number;
  /** The body of a 200 as JSON, nested no deeper than what reads it may recurse. */
  json: unknown;
  /** Whether the body is a page for people, so that the status says nothing of the object that was asked for. */
  isPage: boolean;
  /** The field of that name as it was sent (RFC 9110 §10.2.3); empty without. */
  retryAfter: string;
  /** Where the answer came from in the end. */
  url: string;
}

/** Asks servers, and checks every address first. Failures of theirs reject with `ProbeFailure`, refusals of ours with `ApiError`. */
export interface RegistryWire {
  rdap(question: { url: string; timeout_ms: number }, ways: WireWays): Promise<RdapHeard>;
  /** Text without control characters. */
  whois(question: { server: WhoisServer; query: string; timeout_ms: number }, ways: WireWays): Promise<string>;
}
