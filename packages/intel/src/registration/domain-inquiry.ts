import type { DomainRegistration } from '../ports/index.ts';
import { privateRegistryOf } from '../names/index.ts';
import { type DomainReading, mergeReadings, noDomainReading } from './domain-reading.ts';
import { askRdap, serverOf, INQUIRY_MS, type InquiryDeps } from './inquiry.ts';
import { readRdapDomain } from './rdap/rdap-domain.ts';
import type { Inquiry } from './shared-inquiries.ts';
import { type WhoisFound, whoisReferrals } from './whois/whois-referrals.ts';

/** Servers of one registry that are tried: IANA lists more than one for few. */
const SERVERS_MAX = 2;

/** The findings about a domain while its servers are asked: problems add up, and the first refusal by our own limits sets the time of the retry. */
class Findings {
  readonly #problems: string[] = [];
  answered = false;
  #retryAfterS = 0;

  problem(why: string, retryAfterS = 0): void {
    this.#problems.push(why);
    this.#retryAfterS ||= retryAfterS;
  }

  as(
    state: DomainRegistration['state'],
    { reserved: _reserved, describesOwner: _describesOwner, related: _related, ...reading }: DomainReading = noDomainReading,
  ): DomainRegistration {
    return {
      ...reading,
      state,
      answered: this.answered,
      problem: this.#problems.join('; '),
      retry_after_s: state === 'unknown' ? this.#retryAfterS : 0,
    };
  }
}

/** Nothing is known, for this reason. */
export const unknownDomain = (why: string): DomainRegistration => {
  const findings = new Findings();
  findings.problem(why);
  return findings.as('unknown');
};

export interface DomainInquiryDeps extends InquiryDeps {
  whois: ReturnType<typeof whoisReferrals>;
}

/** Asks the registry of a domain, then its registrar: over RDAP, or over WHOIS if RDAP is missing or fails. */
export async function inquireDomain(
  name: string,
  deps: DomainInquiryDeps,
  inquiry: Inquiry<DomainRegistration>,
): Promise<DomainRegistration> {
  const findings = new Findings();
  const end = deps.clock.now() + INQUIRY_MS;
  const timeLeft = (): number => end - deps.clock.now();
  const own = privateRegistryOf(name);
  if (own?.whois === '') return unasked(own.suffix, findings);
  const bases = own ? [own.rdap].filter((base) => base !== '') : await deps.bootstrap.forDomain(name, inquiry.ways.signal);
  let refused = false;
  for (const base of bases.slice(0, SERVERS_MAX)) {
    const response = await askRdap(`${base}domain/${name}`, deps, inquiry, timeLeft);
    if (!('answer' in response)) {
      findings.problem(response.why, response.retry_after_s);
      refused ||= response.retry_after_s > 0;
      continue;
    }
    if (response.answer === 'not found') {
      findings.answered = true;
      return findings.as('unregistered');
    }
    const reading = readRdapDomain(response.answer.json, name, deps.today());
    if (reading) {
      findings.answered = true;
      return await withRegistrar(name, reading, { base, findings, timeLeft }, deps, inquiry);
    }
    findings.problem(`${serverOf(base)} answered about something else`);
  }
  // A question refused over RDAP for its rate is not asked over WHOIS instead.
  if (refused) return findings.as('unknown');
  return conclude(await deps.whois(name, deps, inquiry, timeLeft, own?.whois), findings);
}

/** The parent's registry would give the parent's age. */
function unasked(suffix: string, findings: Findings): DomainRegistration {
  findings.answered = true;
  findings.problem(`names below ${suffix} are registered with its owner, who has no server that we know`);
  return findings.as('unknown');
}

interface Hop {
  base: string;
  findings: Findings;
  timeLeft(): number;
}

/** The registry's word is kept whatever becomes of the registrar's. */
async function withRegistrar(
  name: string,
  registry: DomainReading,
  { base, findings, timeLeft }: Hop,
  deps: DomainInquiryDeps,
  inquiry: Inquiry<DomainRegistration>,
): Promise<DomainRegistration> {
  if (registry.reserved) {
    findings.problem('the registry keeps this name reserved');
    return findings.as('unregistered');
  }
  const { related } = registry;
  if (related === '' || related.toLowerCase() === `${base}domain/${name}`.toLowerCase()) return findings.as('registered', registry);
  const inTime = new Findings();
  inTime.answered = true;
  inTime.problem(`the registrar at ${serverOf(related)} has not answered in time`);
  inquiry.soFar(inTime.as('registered', registry));
  const response = await askRdap(related, deps, inquiry, timeLeft);
  const said = 'answer' in response ? response.answer : undefined;
  const registrar = typeof said === 'object' ? readRdapDomain(said.json, name, deps.today()) : undefined;
  if (registrar) return findings.as('registered', mergeReadings(registry, registrar));
  const why = 'why' in response ? response.why : said === 'not found' ? 'it does not have this domain' : 'it answered about something else';
  findings.problem(`the registry answered, and the registrar did not: ${why}`);
  return findings.as('registered', registry);
}

function conclude(found: WhoisFound, findings: Findings): DomainRegistration {
  findings.answered = found.answered;
  for (const { why, retry_after_s } of found.problems) findings.problem(why, retry_after_s);
  if (found.state === 'registered') return findings.as('registered', found.reading);
  return findings.as(found.state);
}
