import { domainParts } from '@vedette/intel/registrable';

/** Names of hosts and what they stand under, each once, in the order met. */
export interface DomainLists {
  /** Lower-case A-labels. */
  domains: string[];
  /** Their registrable domains; a public suffix has none. */
  root_domains: string[];
  /** Their public suffixes. */
  tlds: string[];
}

/** At most so many entries of each list are told. */
export const LIST_MAX = 1_000;

/** The domains of hosts in lower-case A-labels, with their registrable domains and public suffixes. Addresses and empty texts are left out. */
export function domainLists(hosts: Iterable<string>): DomainLists {
  const [domains, roots, tlds] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const host of hosts) {
    if (domains.size >= LIST_MAX) break;
    if (host === '' || domains.has(host) || isAddress(host)) continue;
    const { root_domain, tld } = domainParts(host);
    domains.add(host);
    if (root_domain !== '') roots.add(root_domain);
    if (tld !== '') tlds.add(tld);
  }
  return { domains: [...domains], root_domains: [...roots], tlds: [...tlds] };
}

/** Whether the host of a URL, as `URL` normalises it, is an address: no name ends in a number (WHATWG URL §3.5). */
export const isAddress = (host: string): boolean => host.startsWith('[') || host.includes(':') || /(?:^|\.)\d+$/.test(host);
