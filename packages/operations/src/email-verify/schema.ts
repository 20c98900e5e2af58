import { count, Enum, type Field, field, flag, schemasOf, text, texts } from '@vedette/contract';
import {
  BLOCK_SCORE,
  canonicalEmail,
  countCharacters,
  EMAIL_FACTORS,
  type EmailEvidence,
  type EmailFactor,
  type EmailScore,
  isSpoofable,
  isSuspicious,
  isSuspiciousUsername,
} from '@vedette/mail/email';
import type { BlacklistCheck } from '@vedette/intel/ports';
import { BEING_LOADED, verdictOf } from '@vedette/intel/risk';
import { type Static, type TSchema, Type } from 'typebox';
import { awaits, Coverage, coverageOf, type Source, staleness } from '../shared/names/coverage.ts';
import { VerdictWord } from '../shared/names/risk-score.ts';

/** The evidence by which the fields are judged. */
export interface EmailFacts extends Omit<EmailEvidence, 'misspelt'>, EmailScore {
  email: string;
  /** The domain that was probably meant; undefined where this one was. */
  suggestion: string | undefined;
  /** The lists of harmful names; undefined where there was nothing to look up. */
  lists: BlacklistCheck | undefined;
  /** The day of the lists of disposable mailboxes, where no newer ones could be fetched; empty otherwise. */
  stale: string;
  /** Whether a list of disposable mailboxes is being loaded. */
  awaited: boolean;
}

interface EmailField<Schema extends TSchema> extends Field<Schema> {
  judge(facts: EmailFacts): Static<Schema>;
}
const row = <Schema extends TSchema>(schema: Schema, judge: EmailField<Schema>['judge'], note = ''): EmailField<Schema> => ({
  ...field(schema, note),
  judge,
});

/** The fields of the report, in its order. */
export const EMAIL_FIELDS = {
  email: row(text('The requested address, as written'), ({ email }) => email),
  canonical_email: row(
    text('The address in the spelling that all addresses of the same mailbox share'),
    ({ address, dns }) => canonicalEmail(address, dns?.exchangers ?? []),
    'Lower case, without what the provider ignores: [below](#one-mailbox-several-spellings)',
  ),
  username: row(text('Part of the address before the `@`'), ({ address }) => address.username),
  domain: row(text('Part of the address after the `@`, in lower case and A-labels'), ({ address }) => address.domain),
  root_domain: row(text('Registrable domain of the address: the public suffix and one label'), ({ address }) => address.rootDomain),
  subdomain: row(text('Labels before the registrable domain; empty if there are none'), ({ address }) => address.subdomain),
  tld: row(text('Public suffix of the domain'), ({ address }) => address.tld),
  email_length: row(count('Number of characters of the address'), ({ email }) => email.length),
  username_length: row(count('Number of characters before the `@`'), ({ address }) => address.username.length),
  domain_length: row(count('Number of characters after the `@`'), ({ address }) => address.domain.length),
  username_dots_count: row(count('Number of dots before the `@`'), ({ address }) => countCharacters(address.username).dots),
  username_underscores_count: row(
    count('Number of underscores before the `@`'),
    ({ address }) => countCharacters(address.username).underscores,
  ),
  username_hyphens_count: row(count('Number of hyphens before the `@`'), ({ address }) => countCharacters(address.username).hyphens),
  username_digits_count: row(count('Number of digits before the `@`'), ({ address }) => countCharacters(address.username).digits),
  username_letters_count: row(count('Number of letters before the `@`'), ({ address }) => countCharacters(address.username).letters),
  valid_format: row(
    flag('The address has a valid form (RFC 5321 with UTF-8)'),
    ({ address }) => address.valid,
    'RFC 6531: a local part of up to 64 octets, 254 in all, a domain of two labels or more. Comments and address literals are not accepted',
  ),
  role_address: row(flag('The user name is that of a function or team, such as sales'), ({ username }) => username.role),
  system_address: row(flag('The user name is one that machines read, such as postmaster'), ({ username }) => username.system),
  noreply_address: row(flag('The user name says that mail to it is not read'), ({ username }) => username.noreply),
  suspicious_username: row(
    flag('The user name looks machine-made or typed at random'),
    ({ username, domain }) => isSuspiciousUsername(username, domain),
    'More than 36 characters, an invisible one, four equal ones in a row, more than four separators, seven figures after a letter, neighbouring keys, seven consonants in a row, or letters and figures in turn. In a word of figures alone all that is chance. At alias services and educational domains only an invisible character counts: their names are made by machines, or are numbers',
  ),
  dirty_words_username: row(
    flag('The user name contains an obscene word'),
    ({ username }) => username.dirtyWords !== 'none',
    'Also words that are names of people (`dick.cheney`, `martin.puta`), which cost less: `doubtful_words`',
  ),
  suspicious_email: row(
    flag('The user name or domain is suspicious, or the user name imitates a brand at a public mailbox'),
    ({ username, domain }) => isSuspiciousUsername(username, domain) || isSuspicious(domain) || (username.imitatesBrand && domain.public),
    '`paypal.support@gmail.com`',
  ),
  username_has_only_digits: row(flag('The user name is a number'), ({ username }) => username.onlyDigits),
  username_has_celebrity_name: row(flag('The user name is that of a famous person'), ({ username }) => username.celebrity),
  valid_tld: row(flag('The top-level domain is one that ICANN knows'), ({ address }) => address.validTld),
  public_domain: row(flag('Anyone can get a mailbox at the domain'), ({ domain }) => domain.public, 'Free, paid, forwarding or disposable'),
  disposable: row(
    flag('The domain offers throw-away mailboxes'),
    ({ domain }) => domain.disposable !== 'none',
    'A list has the domain or one of its parents, or a mail exchanger is known to belong to such a service: new domains of a service are found so. A listed domain whose mail is with Google or Microsoft by now has changed hands. A domain on one copied list alone counts too, and costs less (`disposable_unconfirmed`). To refuse every such mailbox go by this field, else by the score',
  ),
  email_forwarder: row(
    flag('The domain forwards mail and hides the address behind it'),
    ({ domain }) => domain.forwarder,
    'An alias service: the mail arrives, the owner stays unnamed',
  ),
  has_a_records: row(flag('The domain has an IPv4 address'), ({ dns }) => dns?.hasA ?? false),
  has_mx_records: row(
    flag('The domain has mail exchangers'),
    ({ dns }) => (dns?.exchangers ?? []).length > 0,
    'The null MX (RFC 7505) does not count',
  ),
  has_txt_records: row(flag('The domain has TXT records'), ({ dns }) => dns?.hasTxt ?? false),
  has_spf_records: row(flag('The domain has an SPF record'), ({ dns }) => dns?.hasSpf ?? false),
  spf_qualifier: row(
    Enum(['', 'pass', 'fail', 'softfail', 'neutral'], { description: 'SPF result for senders that the record does not list' }),
    ({ dns }) => dns?.spfQualifier ?? '',
    'Redirects are followed. Empty without one usable record',
  ),
  spf_strict: row(
    flag('The SPF result for senders that the record does not list is fail (`-all`)'),
    ({ dns }) => dns?.spfQualifier === 'fail',
  ),
  dmarc_configured: row(
    flag('A DMARC record applies to the domain'),
    ({ dns }) => dns !== undefined && dns.dmarc !== '',
    'By RFC 9989: the record of the domain, or that of the organization above it',
  ),
  dmarc_enforced: row(
    flag('The DMARC policy of the domain is quarantine or reject, and not in test mode (`t=y`)'),
    ({ dns }) => dns?.dmarcEnforced ?? false,
    'Whatever `pct=` says (RFC 9989 §9.3), as in dmarc-validator',
  ),
  is_spoofable: row(
    flag('The domain has no enforced DMARC policy, so receivers may accept mail with a forged From'),
    ({ dns }) => dns !== undefined && isSpoofable(dns),
    "By the tree walk; where that leads to a registry's record without `psd=y` (`gov.uk`), also by the Public Suffix List. SPF does not count, not even `-all`: it is about the envelope, not about the From that readers see",
  ),
  free_email: row(
    flag('The domain is that of a provider of free mailboxes'),
    ({ domain }) => domain.free,
    'Russian and Chinese ones also have flags of their own',
  ),
  russian_free_email: row(flag('The domain is that of a Russian provider of free mailboxes'), ({ domain }) => domain.russianFree),
  china_free_email: row(flag('The domain is that of a Chinese provider of free mailboxes'), ({ domain }) => domain.chineseFree),
  did_you_mean: row(
    text('The address that was probably meant; empty if this one was'),
    ({ address, suggestion }) => (suggestion === undefined ? '' : `${address.username}@${suggestion}`),
    'The domain is one or two letters away from a large provider, and takes no mail. A domain that takes mail is a domain of its own (libera.it, cloud.com), unless it is one slip of the finger away from one of the five largest',
  ),
  suspicious_domain: row(
    flag('The domain name is odd, or imitates another one'),
    ({ domain }) => isSuspicious(domain),
    'As it is shown, not by its A-label: it looks like a brand in other letters, mixes scripts that are not written together, names a brand that it is not, or is an odd name (more than 45 characters, or 30 without a hyphen, more than five hyphens, more than three single letters, five figures beside letters, or unreadable). Never a well-known, government or educational domain',
  ),
  dirty_words_domain: row(
    flag('The domain contains an obscene word'),
    ({ domain }) => domain.dirtyWords !== 'none',
    'Also words that are names of people, which cost less: `doubtful_words`',
  ),
  domain_popular: row(flag('The domain is one of the best known'), ({ domain }) => domain.popular),
  risky_tld: row(
    flag('The top-level domain is one that abuse reports name far more often than its size explains'),
    ({ domain }) => domain.riskyTld,
    'Never for a well-known, government or educational domain',
  ),
  police_domain: row(flag('The domain is that of a police force'), ({ domain }) => domain.police),
  government_domain: row(
    flag('The domain is that of a government'),
    ({ domain }) => domain.government,
    "By top-level domain and the country's level (`gov.uk`) and by list; domains that other operations refuse to contact are among these. Also `.int`, for organizations founded by treaties, and the missions of states under `un.int`",
  ),
  educational_domain: row(
    flag('The domain is that of a school or university'),
    ({ domain }) => domain.educational,
    "By top-level domain and the country's level (`ac.jp`), by name (`uni-…de`) and by list",
  ),
  student_email: row(
    flag('The address is one that a school or university gives to students'),
    ({ domain }) => domain.student,
    'An educational domain with a label such as `student` or `alumni`',
  ),
  score: row(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Quality of the address, from 0 (bad) to 100 (good)' }),
    ({ score }) => score,
  ),
  verdict: row(
    VerdictWord,
    ({ score, factors, ...facts }) =>
      verdictOf(100 - score - pointsOf(factors, 'mail_fails', 'lists_awaited'), coverageOf(sourcesOf(facts))),
    'By 100 less the score: [scores.md](scores.md#verdicts). A domain whose DNS is silent is `unknown`',
  ),
  should_block: row(flag('The score is 70 or lower'), ({ score }) => score <= BLOCK_SCORE),
  score_factors: row(
    Type.Array(
      Type.Object({
        factor: Enum(Object.keys(EMAIL_FACTORS) as EmailFactor[], { description: 'Name of the factor' }),
        points: Type.Integer({ description: 'Points that the factor takes from the score' }),
        detail: Type.Optional(
          text('Finding behind the factor, such as the brand or the mail host; absent if the name of the factor says it all'),
        ),
      }),
      { description: 'Factors that take points from 100; docs/email-verify.md explains each' },
    ),
    ({ factors }) => factors,
  ),
  coverage: row(Coverage, (facts) => coverageOf(sourcesOf(facts))),
  dns_errors: row(
    texts(
      'DNS questions without an answer; the fields that depend on them are false, and each takes no more points than a missing record would',
    ),
    ({ dns }) => [...(dns?.errors ?? [])],
  ),
};

const pointsOf = (factors: EmailScore['factors'], ...names: readonly EmailFactor[]): number =>
  factors.reduce((sum, { factor, points }) => (names.includes(factor) ? sum + points : sum), 0);

/** The questions to the DNS, and which have no answer; `dns_errors` has the details. */
const sourcesOf = ({ dns, lists, stale, awaited }: Pick<EmailFacts, 'dns' | 'lists' | 'stale' | 'awaited'>): Source[] => [
  ...(dns ? mailSources(dns) : []),
  ...(lists && lists.results.length + lists.unanswered.length > 0 ? [listSource(lists)] : []),
  ...(stale === '' && !awaited ? [] : [{ name: 'disposable_lists', problem: awaited ? BEING_LOADED : staleness(stale) }]),
];

/** One source: the lists are many, and say less than the DNS. */
const listSource = (lists: BlacklistCheck): Source => ({
  name: 'lists',
  problem: awaits(lists) ? BEING_LOADED : lists.results.length > 0 ? '' : 'No list of harmful names is loaded',
});

const mailSources = ({ unknown, delivery }: NonNullable<EmailFacts['dns']>): Source[] => [
  ...(['addresses', 'exchangers', 'spf', 'dmarc'] as const).map((name) => ({
    name,
    problem: unknown.has(name) ? 'the DNS did not answer' : '',
  })),
  { name: 'delivery', problem: delivery.state === 'fails' ? delivery.detail : delivery.state === 'unknown' ? 'not all was asked' : '' },
];

export const EmailReport = Type.Object(schemasOf(EMAIL_FIELDS));
