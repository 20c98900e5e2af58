import { ApiError, Enum, field } from '@vedette/contract';
import { type CentralContext, Defaulted, Flag, Host, type ParsedName } from '../../kit/index.ts';
import { registeredName } from '@vedette/intel/names';
import type { DomainRegistration } from '@vedette/intel/ports';
import { ageOf } from '@vedette/intel/registration';
import { Type } from 'typebox';
import { unheard } from './unheard.ts';

/** The age of a domain, or the reason why it is unknown. */
export type KnownAge = Pick<DomainRegistration, 'state' | 'created' | 'problem'>;

const [TIMEOUT_MIN, TIMEOUT_MAX] = [5, 30];

const InquiryRequest = Type.Object(
  {
    host: Host({
      description:
        'Domain name. A name below a registered domain stands for that domain; below a private registry such as uk.com, for the name registered there',
    }),
    timeout: Defaulted(
      Type.Integer({
        minimum: TIMEOUT_MIN,
        maximum: TIMEOUT_MAX,
        examples: [10],
        description: 'Seconds to wait for registries; the report contains what arrived in that time',
      }),
      25,
    ),
    cache_only: Flag(false, 'Answer only from cached data, up to 30 days old, without a query to any registry'),
  },
  { additionalProperties: false },
);

/** Members that domain-age and domain-info share. */
export const INQUIRY = {
  subject: 'domains',
  deadline_ms: (TIMEOUT_MAX + 2) * 1_000,
  dns: { questions: 60, ms: (TIMEOUT_MAX + 1) * 1_000 },
  contactsTarget: false,
  request: InquiryRequest,
  bulk: 'host',
  targets: { host: 'name' },
  examples: [{ host: 'example.org' }, { host: 'www.example.org', timeout: 10 }],
  /** Which domain a request is about, and how it asks. Throws `ApiError` invalid_parameter for a public suffix. */
  read({ timeout, cache_only: cachedOnly }: { timeout: number; cache_only: boolean }, { host: { host } }: { host: ParsedName }) {
    const { domain, isLandlords } = registeredName(host);
    if (domain === '') throw new ApiError('invalid_parameter', `${host} is not a domain but a public suffix`, { param: 'host' });
    return { host, domain, isLandlords, timeout_ms: timeout * 1_000, cachedOnly };
  },
} as const;

/** The report fields about the creation of a domain. */
export const AGE_FIELDS = {
  domain_age_found: field(
    Type.Boolean({ description: 'Whether the creation date is known' }),
    'False says nothing against the domain: `debug_message` has the reason. Treat it neither as new nor as old',
  ),
  domain_registered: field(
    Enum(['yes', 'no', 'unknown'], {
      description:
        'Registration state. no: the registry reports that the domain does not exist or is reserved. unknown: no authoritative source answered',
    }),
    '`no` is cached for ten minutes only, as a name may be registered at any time',
  ),
  domain_creation_date: field(
    Type.String({
      description: 'Creation date, YYYY-MM-DD; empty if unknown. Some registries do not publish this date (.de, .eu, .au)',
    }),
    'The date of the present registration: a name that expired and was registered again is new. `before Aug-1996` of .uk is the first of that month. Dates before 1985 or in the future are not believed',
  ),
  domain_age_in_days: field(
    Type.Integer({ description: 'Days since creation; 0 if unknown' }),
    '0 is also the age on the first day: read `domain_age_found` first. Phishing uses names of few days; site-trust and domain-reputation call names of less than 30 days very recent',
  ),
  domain_age_in_months: field(
    Type.Integer({ description: 'Calendar months since creation, in UTC; 0 if unknown' }),
    'A month is complete on the same day of the next month, or on its last day',
  ),
  domain_age_in_years: field(Type.Integer({ description: 'Calendar years since creation, in UTC; 0 if unknown' })),
};

const REGISTERED = { registered: 'yes', unregistered: 'no', unknown: 'unknown' } as const;

/** The values of `AGE_FIELDS`. */
export function ageFields({ state, created }: KnownAge, today: Date) {
  const age = ageOf(created, today);
  return {
    domain_age_found: age !== undefined,
    domain_registered: REGISTERED[state],
    domain_creation_date: created,
    domain_age_in_days: age?.days ?? 0,
    domain_age_in_months: age?.months ?? 0,
    domain_age_in_years: age?.years ?? 0,
  };
}

/** A question about a registration: the domain, the time for it, and whether only the cache is read. */
interface Inquiry {
  domain: string;
  timeout_ms: number;
  cachedOnly: boolean;
}

const inquire = (
  { domain, timeout_ms, cachedOnly }: Inquiry,
  { registries, resolver, dialler, isDenied, account, signal }: CentralContext,
): Promise<DomainRegistration> => registries.domain(domain, { resolver, dialler, isDenied, account, signal, timeout_ms, cachedOnly });

/** Asks for an operation that reports the registration. Throws a free `ApiError`, upstream_failed or target_limited, if no registry answered. */
export async function askForRegistration(inquiry: Inquiry, context: CentralContext): Promise<DomainRegistration> {
  const found = await inquire(inquiry, context);
  if (!found.answered && !inquiry.cachedOnly) throw unheard(found);
  return found;
}

/**
 * Asks for a report in which the age is one fact of many. Throws `ApiError` target_limited, which is free, where our own pacing kept the
 * question back: of two domains registered on one day the report would call one recent and not the other.
 */
export async function askRegistry(domain: string, options: Omit<Inquiry, 'domain'>, context: CentralContext): Promise<KnownAge> {
  const found = await inquire({ domain, ...options }, context);
  if (found.state === 'unknown' && found.retry_after_s > 0) throw unheard(found);
  return found;
}

const UNDATED: Record<DomainRegistration['state'], string> = {
  registered: 'The registry does not say when it was registered',
  unregistered: 'The registry knows no such domain',
  unknown: 'No registry was asked',
};

/** Why the age of a domain is not known. */
export const whyUndated = ({ state, problem }: KnownAge): string => (problem === '' ? UNDATED[state] : problem);
