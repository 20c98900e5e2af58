import { parseHost } from '@vedette/contract';
import { hostParts } from '@vedette/intel/registrable';

/** The host of a mailbox in lower-case A-labels; empty where it has none, or an address in brackets. */
export function hostOfMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const host = at < 0 ? undefined : parseHost(address.slice(at + 1));
  return host?.kind === 'name' ? host.host : '';
}

/** The registrable domain of a mailbox's host; the host itself where it has none; empty without a host. */
export function organisationOf(address: string): string {
  const host = hostOfMailbox(address);
  return hostParts(host).root_domain || host;
}

/** Compares mailboxes without regard to case: in practice, providers do not distinguish mailboxes by it. */
export const sameMailbox = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
