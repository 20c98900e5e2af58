import { judgeDomain, judgeUsername, parseEmail, scoreEmail } from '@vedette/mail/email';
import type { createMailboxes } from '@vedette/intel/mailboxes';
import type { shippedNames } from '@vedette/intel/names';
import { enginesInMemory, type LoadedLists } from './addresses.ts';
import { type Corpus, halfOf } from './corpus.ts';
import { type Judged, report } from './figures.ts';

export interface MailLists {
  names: ReturnType<typeof shippedNames>;
  mailboxes: ReturnType<typeof createMailboxes>;
}

/** A domain that takes mail by an exchanger of its own and says nothing of DMARC, as most do. */
const ORDINARY_DNS = {
  hasA: true,
  exchangers: ['mx.example.org'],
  delivery: { state: 'possible', detail: '' },
  hasTxt: true,
  hasSpf: true,
  spfQualifier: 'softfail',
  dmarc: '',
  dmarcEnforced: false,
  dmarcEnforcedByList: false,
  unknown: new Set<never>(),
  errors: [],
} as const;

/** Prints how many mailboxes of each list reach each threshold, as what their score lacks of 100; every domain takes mail. */
export function judgedMailboxes(corpus: Corpus, half: 'calibrate' | 'report', lists: MailLists & LoadedLists): void {
  const blacklists = enginesInMemory(lists);
  const judge = (email: string): Judged => {
    const address = parseEmail(email);
    const username = judgeUsername(address.username, lists.names);
    const domain = judgeDomain(address, [], lists);
    const dns = { ...ORDINARY_DNS, exchangers: [...ORDINARY_DNS.exchangers], errors: [] };
    const listings = blacklists.hostInMemory(address.domain).results.filter(({ detected, doubtful }) => detected && !doubtful);
    const { score } = scoreEmail({ address, username, domain, dns, misspelt: false, listings });
    return { subject: email, risk: 100 - score, listed: domain.disposable !== 'none' };
  };
  const judged = { honest: new Map<string, Judged[]>(), bad: new Map<string, Judged[]>() };
  for (const label of ['honest', 'bad'] as const)
    for (const { name, lines } of corpus.lists(`mailboxes/${label}`))
      // Mailboxes of one provider are in both halves, those of one domain else in one.
      judged[label].set(name, lines.filter((line) => halfOf(name === 'providers' ? line : line.split('@')[1]!) === half).map(judge));
  if (judged.honest.size > 0) report('email-verify', judged);
}
