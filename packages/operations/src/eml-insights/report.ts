import { hostParts } from '@vedette/intel/names';
import type { EmlReport, MessageFacts } from '@vedette/message/report';
import { dkimHostOf } from '@vedette/mail/dkim';
import type { Static } from 'typebox';
import { type Coverage, coverageOf, type Source } from '../shared/names/coverage.ts';
import type { Impersonations } from './impersonations.ts';
import type { SenderName } from './sender.ts';

/** What the DNS and the lists of names say of a message. */
export interface LookedUp {
  dkim_signatures: EmlReport['headers']['dkim_signatures'];
  sender: SenderName;
  impersonations: Impersonations;
  /** Whether an address of Reply-To that is not From is a free mailbox. */
  repliesToFreeMailbox: boolean;
}

/** Makes the report. A field that neither the facts nor the look-ups give does not compile. */
export function reportOf(
  { sender_rdns: _rdns, replies_to: _replies, links: _links, from_list: _list, ...facts }: MessageFacts,
  { dkim_signatures, sender: { hostname, nameless, problem }, impersonations, repliesToFreeMailbox }: LookedUp,
): EmlReport & { coverage: Static<typeof Coverage> } {
  const { root_domain, tld } = hostParts(hostname);
  return {
    ...facts,
    headers: { ...facts.headers, dkim_signatures },
    ioc: { ...facts.ioc, lookalike_domains: impersonations.hosts },
    impersonations: impersonations.found,
    sender_details: { ...facts.sender_details, hostname, hostname_root_domain: root_domain, hostname_tld: tld },
    security_details: { ...facts.security_details, sender_rdns_empty: nameless, reply_to_free_email: repliesToFreeMailbox },
    coverage: coverageOf([...keySources(dkim_signatures), ...(problem === undefined ? [] : [{ name: 'reverse_dns', problem }])]),
    limits_reached: impersonations.isCut ? [...facts.limits_reached, 'lookalikes' as const].toSorted() : facts.limits_reached,
  };
}

/** The keys of the signatures, each once, by the name that has it. */
function keySources(signatures: LookedUp['dkim_signatures']): Source[] {
  const hosts = new Map(signatures.map(({ selector, domain, dns_error }) => [dkimHostOf(selector, domain), dns_error]));
  return [...hosts].map(([name, problem]) => ({ name, problem }));
}
