import type { Cidr, DnsPorts } from '@vedette/contract';
import { type FamilyTerm, hostNetworks, type UnansweredTerm } from './host-networks.ts';
import { constantName, type DomainSpec, type Reading } from './macro.ts';
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
  /** Links of the record, without those whose domain depends on the message: only an evaluation knows where they lead. */
  links: readonly SpfLink[];
  /** The networks that the record's own ip4, ip6, a and mx terms authorise. */
  networks: readonly Cidr[];
  /** `exists` terms that let all senders pass, as written. */
  openTerms: readonly string[];
  /** Terms whose hosts do not exist or have no records. */
  voidTerms: readonly FamilyTerm[];
  /** Terms that list addresses, whatever the links to the record make of them. */
  listingTerms: readonly FamilyTerm[];
  /** `mx` terms whose domain has more exchanges than are asked. */
  crowdedTerms: readonly string[];
  unansweredTerms: readonly UnansweredTerm[];
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
/** Links of one record: ten times what an evaluation follows. */
const LINKS_MAX = 100;

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
        const reading = { domain: policy.domain, host };
        const links = linksOf(record, reading);
        nodes.push(nodeOf(record, reading, links, { ...ports, resolver }, errors));
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

async function nodeOf(record: SpfRecord, reading: Reading, links: SpfLink[], ports: DnsPorts, failed: string[]): Promise<SpfNode> {
  const { errors, ...hosts } = await hostNetworks(record, reading, ports);
  failed.push(...errors);
  return { origin: reading.domain, record, links, ...hosts };
}

function linksOf(record: SpfRecord, reading: Reading): SpfLink[] {
  const links: SpfLink[] = [];
  const link = (kind: SpfLink['kind'], domain: DomainSpec, authorises: boolean) => {
    const target = constantName(domain, reading);
    if (target !== undefined) links.push({ kind, target, authorises });
  };
  for (const { qualifier, mechanism } of effectiveDirectives(record))
    if (mechanism.name === 'include' && links.length < LINKS_MAX) link('include', mechanism.domain, qualifier === '+');
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

/** The records whose passes are passes of the host: not those behind `-include`, `?include` and the like. */
export function authorising(tree: SpfTree): SpfNode[] {
  const reached = reachable(tree, (link) => link.authorises);
  return tree.nodes.filter(({ origin }) => reached.has(origin));
}
