import { central } from '@vedette/contract';
import {
  BLOCK_SCORE,
  canonicalEmail,
  countCharacters,
  isSpoofable,
  isSuspicious,
  isSuspiciousUsername,
  judgeDomain,
  judgeUsername,
  parseEmail,
  readMailDns,
  scoreEmail,
  suggestDomain,
} from '@vedette/mail/email';
import { Type } from 'typebox';
import { EmailReport } from './schema.ts';

/** Judges an e-mail address by its form, its names and the DNS. Never contacts a mail server: mailboxes are not probed. */
export const emailVerify = central({
  name: 'email-verify',
  summary: 'Judge an e-mail address without writing to it',
  description: 'Sends DNS queries only. No mail server is contacted, so whether the mailbox exists is not said.',
  cost: 1,
  deadline_ms: 10_000,
  dns: { questions: 30, ms: 8_000 },
  references: ['RFC 5321', 'RFC 6531', 'RFC 7208', 'RFC 7505', 'RFC 9989'],
  request: Type.Object(
    { email: Type.String({ minLength: 1, maxLength: 1024, description: 'E-mail address', examples: ['user@example.org'] }) },
    { additionalProperties: false },
  ),
  response: EmailReport,
  examples: [{ email: 'user@example.org' }],
  read: ({ email }) => ({ email, address: parseEmail(email) }),
  async run({ email, address }, ports) {
    const dns =
      address.valid && address.validTld ? await readMailDns(address.domain, { ...ports, policy: ports.dialler.policy }) : undefined;
    const exchangers = dns?.exchangers ?? [];
    const username = judgeUsername(address.username, ports.names);
    const domain = judgeDomain(address, exchangers, ports.names);
    const takesMail = dns?.unknown.has('exchangers') ? undefined : exchangers.length > 0;
    const suggestion = suggestDomain(address.domain, takesMail);
    const suspiciousUsername = isSuspiciousUsername(username, domain);
    const suspiciousDomain = isSuspicious(domain);
    const counts = countCharacters(address.username);
    const { score, factors } = scoreEmail({ address, username, domain, dns, misspelt: suggestion !== undefined });
    return {
      email,
      canonical_email: canonicalEmail(address, exchangers),
      username: address.username,
      domain: address.domain,
      root_domain: address.rootDomain,
      subdomain: address.subdomain,
      tld: address.tld,
      email_length: email.length,
      username_length: address.username.length,
      domain_length: address.domain.length,
      username_dots_count: counts.dots,
      username_underscores_count: counts.underscores,
      username_hyphens_count: counts.hyphens,
      username_digits_count: counts.digits,
      username_letters_count: counts.letters,
      valid_format: address.valid,
      role_address: username.role,
      system_address: username.system,
      noreply_address: username.noreply,
      suspicious_username: suspiciousUsername,
      dirty_words_username: username.dirtyWords !== 'none',
      suspicious_email: suspiciousUsername || suspiciousDomain || (username.imitatesBrand && domain.public),
      username_has_only_digits: username.onlyDigits,
      username_has_celebrity_name: username.celebrity,
      valid_tld: address.validTld,
      public_domain: domain.public,
      disposable: domain.disposable !== 'none',
      email_forwarder: domain.forwarder,
      has_a_records: dns?.hasA ?? false,
      has_mx_records: exchangers.length > 0,
      has_txt_records: dns?.hasTxt ?? false,
      has_spf_records: dns?.hasSpf ?? false,
      spf_qualifier: dns?.spfQualifier ?? '',
      spf_strict: dns?.spfQualifier === 'fail',
      dmarc_configured: dns !== undefined && dns.dmarc !== '',
      dmarc_enforced: dns?.dmarcEnforced ?? false,
      is_spoofable: dns !== undefined && isSpoofable(dns),
      free_email: domain.free,
      russian_free_email: domain.russianFree,
      china_free_email: domain.chineseFree,
      did_you_mean: suggestion === undefined ? '' : `${address.username}@${suggestion}`,
      suspicious_domain: suspiciousDomain,
      dirty_words_domain: domain.dirtyWords !== 'none',
      domain_popular: domain.popular,
      risky_tld: domain.riskyTld,
      police_domain: domain.police,
      government_domain: domain.government,
      educational_domain: domain.educational,
      student_email: domain.student,
      score,
      should_block: score <= BLOCK_SCORE,
      score_factors: factors,
      dns_errors: dns?.errors ?? [],
    };
  },
});
