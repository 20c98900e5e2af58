import { type AddressPolicy, type DnsPorts, lookUp, readLookup } from '@vedette/contract';
import { discoverDmarc, type Disposition, type DmarcFound, isEnforced, policyOf } from '../dmarc/index.ts';
import { judgeUnnamedSenders, type UnnamedSenders } from '../spf/index.ts';
import { type Delivery, judgeDelivery } from './delivery.ts';

/** The questions that may stay unanswered. */
export type MailTopic = 'addresses' | 'exchangers' | 'spf' | 'dmarc';

/** The DNS records of a domain's mail. Where a question has no answer, that is neither yes nor no. */
export interface MailDns {
  hasA: boolean;
  /** Host names by preference, without the null MX of RFC 7505. */
  exchangers: string[];
  /** Whether mail finds a host. */
  delivery: Delivery;
  hasTxt: boolean;
  hasSpf: boolean;
  /** SPF's result for every other sender: the qualifier of `all`, redirects followed. Empty without a usable record. */
  spfQualifier: UnnamedSenders['result'];
  dmarc: '' | Disposition;
  /** Receivers act on that. */
  dmarcEnforced: boolean;
  /** Receivers that go by the Public Suffix List act on a record of the domain's own, where the tree walk leads to a registry's. */
  dmarcEnforcedByList: boolean;
  /** The unanswered questions, and why. */
  unknown: ReadonlySet<MailTopic>;
  errors: string[];
}

/**
 * Asks everything at once, and then for the mail hosts' addresses, while SPF and DMARC may be followed still. Rejects with the signal's
 * reason, and with the gate's `ApiError`.
 */
export async function readMailDns(domain: string, ports: DnsPorts & { policy: AddressPolicy }): Promise<MailDns> {
  const exchange = ports.resolver.ask(domain, 'MX', { signal: ports.signal });
  const [a, mx, delivery, txt, spf, dmarc] = await Promise.all([
    lookUp(ports, domain, 'A'),
    exchange.then((response) => readLookup(response, domain, 'MX')),
    exchange.then((response) => judgeDelivery(domain, response, ports)),
    lookUp(ports, domain, 'TXT'),
    judgeUnnamedSenders(domain, ports),
    discoverDmarc(domain, ports),
  ]);
  const exchangers = mx.records.toSorted((one, other) => one.data.preference - other.data.preference).map(({ data }) => data.exchange);
  const walked = appliedPolicy(domain, dmarc.applied);
  const failures: [MailTopic, string][] = [
    ['addresses', a.error],
    ['exchangers', mx.error],
    ['spf', spf.error],
    ...(dmarc.applied ? [] : dmarc.errors.map((error): [MailTopic, string] => ['dmarc', error])),
  ];
  const failed = failures.filter(([, error]) => error !== '');
  return {
    hasA: a.records.length > 0,
    exchangers: exchangers.filter((host) => host !== '.'),
    delivery,
    hasTxt: txt.records.length > 0,
    hasSpf: spf.published,
    spfQualifier: spf.result,
    dmarc: walked.disposition,
    dmarcEnforced: walked.enforced,
    dmarcEnforcedByList: appliedPolicy(domain, dmarc.bySuffixList?.applied).enforced,
    unknown: new Set(failed.map(([topic]) => topic)),
    errors: failed.map(([, error]) => error),
  };
}

function appliedPolicy(domain: string, applied: DmarcFound | undefined): { disposition: '' | Disposition; enforced: boolean } {
  const policy = applied && policyOf(applied.record);
  if (!policy) return { disposition: '', enforced: false };
  const disposition = applied.domain === domain ? policy.p : policy.sp;
  return { disposition, enforced: isEnforced(applied.record, disposition) };
}
