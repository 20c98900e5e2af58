import { central } from '../kit/index.ts';
import { judgeAll } from '@vedette/contract';
import { judgeDomain, judgeUsername, parseEmail, readMailDns, scoreEmail, suggestDomain } from '@vedette/mail/email';
import { DISPOSABLE_SOURCES } from '@vedette/intel/mailboxes';
import type { ListDays } from '@vedette/intel/ports';
import { Type } from 'typebox';
import { awaits } from '../shared/names/coverage.ts';
import { EMAIL_FIELDS, EmailReport } from './schema.ts';

/** Finds the day of the newest list; empty where one of them is not old. */
const disposableSince = ({ staleSince }: ListDays): string => {
  const days = DISPOSABLE_SOURCES.map(staleSince);
  return days.includes('') ? '' : days.toSorted().at(-1)!;
};

/** Judges an e-mail address by its form, its names and the DNS. Never contacts a mail server: mailboxes are not probed. */
export const emailVerify = central({
  name: 'email-verify',
  subject: 'mail',
  summary: 'Judge an e-mail address without writing to it',
  description:
    'Sends DNS queries only, and looks the domain up in lists in memory. No mail server is contacted, so the report does not say whether the mailbox exists.',
  cost: 1,
  deadline_ms: 10_000,
  dns: { questions: 30, ms: 8_000 },
  references: ['RFC 5321', 'RFC 6531', 'RFC 7208', 'RFC 7505', 'RFC 9989'],
  request: Type.Object(
    { email: Type.String({ minLength: 1, maxLength: 1024, description: 'E-mail address', examples: ['user@example.org'] }) },
    { additionalProperties: false },
  ),
  response: EmailReport,
  bulk: 'email',
  examples: [{ email: 'user@example.org' }],
  read: ({ email }) => ({ email, address: parseEmail(email) }),
  async run({ email, address }, ports) {
    const dns =
      address.valid && address.validTld ? await readMailDns(address.domain, { ...ports, policy: ports.dialler.policy }) : undefined;
    const exchangers = dns?.exchangers ?? [];
    const username = judgeUsername(address.username, ports.names);
    const domain = judgeDomain(address, exchangers, ports);
    const lists = dns && ports.blacklists.hostInMemory(address.domain);
    // An entry that is in doubt is about a host of many tenants, or a best known domain.
    const listings = lists?.results.filter(({ detected, doubtful }) => detected && !doubtful) ?? [];
    const suggestion = suggestDomain(address.domain, dns?.unknown.has('exchangers') ? undefined : exchangers.length > 0);
    const awaited = DISPOSABLE_SOURCES.some(ports.lists.isAwaited);
    const awaitsLists = awaited || (lists !== undefined && awaits(lists));
    const verdict = scoreEmail({ address, username, domain, dns, misspelt: suggestion !== undefined, listings, awaitsLists });
    return judgeAll(EMAIL_FIELDS, {
      email,
      address,
      username,
      domain,
      dns,
      suggestion,
      lists,
      stale: disposableSince(ports.lists),
      awaited,
      ...verdict,
    });
  },
});
