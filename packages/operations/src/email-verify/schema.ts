import { Enum } from '@vedette/contract';
import { EMAIL_FACTORS, type EmailFactor } from '@vedette/mail/email';
import { Type } from 'typebox';

const flag = (description: string) => Type.Boolean({ description });
const count = (what: string) => Type.Integer({ minimum: 0, description: `Number of ${what}` });
const text = (description: string) => Type.String({ description });

export const EmailReport = Type.Object({
  email: text('As asked for'),
  canonical_email: Type.String({ description: 'One spelling for all addresses that reach the same mailbox' }),
  username: text('Before the @'),
  domain: text('After the @, in lower case and A-labels'),
  root_domain: text('The registrable domain: the public suffix and one label'),
  subdomain: text('Labels before the registrable domain; empty when there are none'),
  tld: Type.String({ description: 'The public suffix' }),
  email_length: count('characters of the address'),
  username_length: count('characters before the @'),
  domain_length: count('characters after the @'),
  username_dots_count: count('dots before the @'),
  username_underscores_count: count('underscores before the @'),
  username_hyphens_count: count('hyphens before the @'),
  username_digits_count: count('digits before the @'),
  username_letters_count: count('letters before the @'),
  valid_format: flag('RFC 5321 with UTF-8, without comments and address literals'),
  role_address: flag('A function or a team, such as sales'),
  system_address: flag('Read by machines, such as postmaster'),
  noreply_address: flag('Says that nobody reads what is sent to it'),
  suspicious_username: flag('Looks made by a machine or by hands rolling over the keyboard'),
  dirty_words_username: flag('An obscene word stands in the user name'),
  suspicious_email: flag('Suspicious user name or domain, or a brand named at a public mailbox'),
  username_has_only_digits: flag('The user name is a number'),
  username_has_celebrity_name: flag('The user name is that of somebody famous'),
  valid_tld: flag('The top-level domain is one that ICANN knows'),
  public_domain: flag('Anyone can get a mailbox at the domain'),
  disposable: flag('By the domain or by its mail exchangers'),
  email_forwarder: flag('Passes mail on and hides the address behind'),
  has_a_records: flag('The domain has an IPv4 address'),
  has_mx_records: flag('The null MX of RFC 7505 does not count'),
  has_txt_records: flag('The domain has TXT records'),
  has_spf_records: flag('The domain has an SPF record'),
  spf_qualifier: Enum(['', 'pass', 'fail', 'softfail', 'neutral'], {
    description: 'What SPF says of every sender not listed, redirects followed; empty without a usable record',
  }),
  spf_strict: flag('A -all mechanism is present'),
  dmarc_configured: flag('By the domain or the one above that speaks for it'),
  dmarc_enforced: flag('reject or quarantine, and not only tested (t=y); pct= does not count (RFC 9989 §9.3)'),
  is_spoofable: flag(
    'No enforced DMARC policy, by the tree walk or the Public Suffix List; SPF alone, -all as well, does not protect the From that readers see',
  ),
  free_email: flag('A provider that gives mailboxes away'),
  russian_free_email: flag('One of them, Russian'),
  china_free_email: flag('One of them, Chinese'),
  did_you_mean: Type.String({ description: 'The corrected address; empty when there is none' }),
  suspicious_domain: flag('Looks made for one use, or made to be taken for another'),
  dirty_words_domain: flag('An obscene word stands in the domain'),
  domain_popular: flag('Among the best known domains'),
  risky_tld: flag('Named in abuse reports far more often than its size explains'),
  police_domain: flag('Of the police'),
  government_domain: flag('Of a government'),
  educational_domain: flag('Of a school or university'),
  student_email: flag('Given to students'),
  score: Type.Integer({ minimum: 0, maximum: 100, description: '0 bad to 100 good' }),
  should_block: flag('The score is 70 or lower'),
  score_factors: Type.Array(
    Type.Object({
      factor: Enum(Object.keys(EMAIL_FACTORS) as EmailFactor[], { description: 'What was seen' }),
      points: Type.Integer({ description: 'Taken from the score' }),
      detail: Type.Optional(Type.String({ description: 'What was found, where the factor leaves that open: the brand, the mail host' })),
    }),
    {
      description: 'What took points from 100; docs/email-verify.md explains each',
    },
  ),
  dns_errors: Type.Array(Type.String(), {
    description: 'Questions that got no answer: what they were about is false here, and takes no points but for delivery',
  }),
});
