import type { Cidr } from '@vedette/contract';
import type { DnsPorts } from '../lookup.ts';
import { hostNetworks } from './host-networks.ts';
import { type DomainSpec, literalName, usesMacro } from './macro.ts';
import { effectiveDirectives, effectiveRedirect, type SpfRecord } from './record.ts';
import { type SpfPolicy, spfSource } from './source.ts';

/** Where evaluation can go on from a record: the domain of an include, or of the redirect. */
export interface SpfLink {
  kind: 'include' | 'redirect';
  target: string;
  /** Whether what the target authorises is authorised here too: not so for `-include`. */
  authorises: boolean;
}

/** One record of the tree. */
export interface SpfNode {
  origin: string;
  record: SpfRecord;
  /** Links of the record, without those whose domain has macros: only an evaluation knows where they lead. */
  links: readonly SpfLink[];
  /** What the record's own ip4, ip6, a and mx terms authorise. */
  networks: readonly Cidr[];
  /** Terms whose hosts do not exist or have no records, as written. */
  voidTerms: readonly string[];
  /** `mx` terms whose domain has more exchanges than are asked. */
  crowdedTerms: readonly string[];
}

/** Everything that a domain's SPF record leads to, each domain once, those nearest to the root first. */
export interface SpfTree {
  host: string;
  policies: ReadonlyMap<string, SpfPolicy>;
  nodes: readonly SpfNode[];
  /** Questions that got no answer, or were not asked. */
  errors: readonly string[];
}

/** More than twice what an evaluation may follow (RFC 7208 §4.6.4). */
const DOMAINS_MAX = 24;
const HOST_QUERIES_MAX = 30;

/** Fetches the record of a domain and all those it includes or redirects to, level by level, with the hosts they name. */
export async function walkSpf(host: string, ports: DnsPorts, source = spfSource(ports)): Promise<SpfTree> {
  using resolver = ports.resolver.share({ questions: HOST_QUERIES_MAX });
  const policies = new Map<string, SpfPolicy>();
  const nodes: Promise<SpfNode>[] = [];
  const errors: string[] = [];

  let level = [host];
  while (level.length > 0) {
    const next = new Set<string>();
    for (const policy of await Promise.all(level.map(source))) {
      policies.set(policy.domain, policy);
      for (const record of policy.records) {
        const links = linksOf(record);
        nodes.push(nodeOf(policy.domain, record, links, { ...ports, resolver }, errors));
        for (const { target } of links) next.add(target);
      }
    }
    const unseen = [...next].filter((target) => !policies.has(target));
    level = unseen.slice(0, DOMAINS_MAX - policies.size);
    if (level.length < unseen.length) errors.push(`More than ${DOMAINS_MAX} domains are included; the rest was not followed`);
  }
  for (const { error } of policies.values()) if (error !== '') errors.push(error);
  return { host, policies, nodes: await Promise.all(nodes), errors };
}

async function nodeOf(origin: string, record: SpfRecord, links: SpfLink[], ports: DnsPorts, errors: string[]): Promise<SpfNode> {
  const hosts = await hostNetworks(record, origin, ports);
  errors.push(...hosts.errors);
  return { origin, record, links, networks: hosts.networks, voidTerms: hosts.voidTerms, crowdedTerms: hosts.crowdedTerms };
}

function linksOf(record: SpfRecord): SpfLink[] {
  const links: SpfLink[] = [];
  const link = (kind: SpfLink['kind'], domain: DomainSpec, authorises: boolean) => {
    if (!usesMacro(domain)) links.push({ kind, target: literalName(domain), authorises });
  };
  for (const { qualifier, mechanism } of effectiveDirectives(record))
    if (mechanism.name === 'include') link('include', mechanism.domain, qualifier === '+');
  const redirect = effectiveRedirect(record);
  if (redirect) link('redirect', redirect, true);
  return links;
}

/** The domains whose records count for the host itself, through links that pass `follow`. */
export function reachable({ host, nodes }: SpfTree, follow: (link: SpfLink) => boolean): Set<string> {
  const reached = new Set([host]);
  // A set yields what is added while it is walked.
  for (const domain of reached)
    for (const node of nodes) if (node.origin === domain) for (const link of node.links) if (follow(link)) reached.add(link.target);
  return reached;
}
