import { isAtOrUnder, type DnsPorts, type Lookup, lookUp } from '@vedette/contract';
import { textOf } from '../txt/index.ts';
import { tagValue } from '../tag-list/index.ts';
import { listedOrganization } from './public-suffix.ts';
import { type DmarcRecord, isDmarcText } from './record.ts';
import { parseReportingUris } from './reporting-uri.ts';

/** An address that reports are to be sent to, and whether they would arrive. */
export interface ReportDestination {
  tag: 'rua' | 'ruf';
  email: string;
  domain: string;
  /** `null` is RFC 7505's refusal of all mail; `unknown` where the DNS did not answer. */
  mx: 'found' | 'none' | 'null' | 'unknown';
  /** Whether the domain has agreed to take reports of another organisation (RFC 9990 §4); own domains need not. */
  agreed: boolean;
  /** Where such a domain says so; empty for own domains. */
  consentName: string;
}

export interface Destinations {
  list: readonly ReportDestination[];
  /** Addresses that were left out, since their domains are too many to check. */
  skipped: readonly Pick<ReportDestination, 'tag' | 'email'>[];
  errors: readonly string[];
}

const DOMAINS_MAX = 20;

/** Checks the mail exchanges of the report addresses, and the consent of those outside the organisation. */
export async function checkDestinations(
  record: DmarcRecord,
  { policyDomain, orgDomain }: { policyDomain: string; orgDomain: string },
  ports: DnsPorts,
): Promise<Destinations> {
  const addresses = [...mailboxes('rua', record), ...mailboxes('ruf', record)];
  const domains = [...new Set(addresses.map(({ domain }) => domain))];
  const checked = new Map(
    await Promise.all(
      domains.slice(0, DOMAINS_MAX).map(async (domain) => [domain, await checkDomain(domain, policyDomain, orgDomain, ports)] as const),
    ),
  );
  return {
    list: addresses.flatMap((address) => {
      const found = checked.get(address.domain);
      return found ? [{ ...address, mx: found.mx, agreed: found.agreed, consentName: found.consentName }] : [];
    }),
    skipped: addresses.filter(({ domain }) => !checked.has(domain)),
    errors: [...checked.values()].flatMap(({ errors }) => errors),
  };
}

/** The addresses of a tag, each once. */
function mailboxes(tag: 'rua' | 'ruf', { list }: DmarcRecord) {
  const found = parseReportingUris(tagValue(list, tag) ?? '').flatMap(({ mailbox }) => mailbox ?? []);
  return [...new Map(found.map((mailbox) => [mailbox.email, { tag, ...mailbox }])).values()];
}

async function checkDomain(domain: string, policyDomain: string, orgDomain: string, ports: DnsPorts) {
  // The tree walk ends at the host where no name above has a record; what is in one registrable domain is one organisation all the same.
  const isOwn = isAtOrUnder(domain, orgDomain) || listedOrganization(domain) === listedOrganization(policyDomain);
  const consentName = isOwn ? '' : `${policyDomain}._report._dmarc.${domain}`;
  const [exchanges, consent] = await Promise.all([
    lookUp(ports, domain, 'MX'),
    consentName === '' ? undefined : lookUp(ports, consentName, 'TXT'),
  ]);
  const agreed = !consent || consent.state === 'failed' || consent.records.some((record) => isDmarcText(textOf(record)));
  return { mx: exchangeState(exchanges), agreed, consentName, errors: [exchanges.error, consent?.error ?? ''].filter(Boolean) };
}

function exchangeState({ state, records }: Lookup<'MX'>): ReportDestination['mx'] {
  if (state === 'failed') return 'unknown';
  if (records.length === 0) return 'none';
  return records.every(({ data }) => data.exchange === '.') ? 'null' : 'found';
}
