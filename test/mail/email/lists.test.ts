import { BLOCK_SCORE, judgeDomain, judgeUsername, type MailDns, parseEmail, scoreEmail, suggestDomain } from '@vedette/mail/email';
import { isGovernmentHost, isProtectedHost } from '@vedette/contract';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMailboxes, DISPOSABLE_SOURCES, FREE_PROVIDERS } from '@vedette/intel/mailboxes';
import { DomainList, isOrIsBelow, shippedNames } from '@vedette/intel/names';

const NAMES = shippedNames();
const MAILBOXES = createMailboxes();
const LISTS = { names: NAMES, mailboxes: MAILBOXES };

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const names = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const RANKED = names(read('best-known.txt'));
const KNOWN = [...new Set([...RANKED, ...names(read('known-senders.txt'))])];
const SMALL_FIRMS = names(read('small-firms.txt'));
const INTERNATIONAL = names(read('international-names.txt'));
const COMMON: string[] = JSON.parse(readFileSync(new URL(import.meta.resolve('email-providers/common.json')), 'utf8'));
const UNIVERSITIES = names(read('universities.txt'));
const domainOf = (name: string) => judgeDomain(parseEmail(`jane.doe@${name}`), [], LISTS);

const GOOD: MailDns = {
  hasA: true,
  exchangers: ['mx.example.org'],
  delivery: { state: 'possible', detail: '' },
  hasTxt: true,
  hasSpf: true,
  spfQualifier: 'fail',
  dmarc: 'reject',
  dmarcEnforced: true,
  dmarcEnforcedByList: false,
  unknown: new Set(),
  errors: [],
};
const BARE: MailDns = { ...GOOD, hasSpf: false, spfQualifier: '', dmarc: '', dmarcEnforced: false };
/** What a domain publishes of its mail. */
const POSTURES: Record<string, MailDns> = { 'SPF -all and DMARC reject': GOOD, 'neither SPF nor DMARC': BARE };
/** An ordinary person, whom people and machines write as, and numbers. */
const LOCAL_PARTS = 'jane.doe noreply no-reply notifications postmaster info newsletter support billing 12345 9845012345'.split(' ');

const USERNAMES = LOCAL_PARTS.map((localPart) => ({ localPart, username: judgeUsername(localPart, NAMES) }));

/** An address of each kind there; the domain is judged once for all of them. */
function scores(name: string, dns: MailDns) {
  const address = parseEmail(`${LOCAL_PARTS[0]}@${name}`);
  const about = { address, domain: judgeDomain(address, [], LISTS), dns, misspelt: suggestDomain(address.domain, true) !== undefined };
  return USERNAMES.map(({ localPart, username }) => ({ email: `${localPart}@${name}`, ...scoreEmail({ ...about, username }) }));
}
const score = (name: string, dns = GOOD) => scores(name, dns)[0]!;
const blocked = (all: readonly string[]) => all.filter((name) => score(name, BARE).score <= BLOCK_SCORE);
const blockedEmails = (all: readonly string[], dns: MailDns) =>
  all.flatMap((name) => scores(name, dns).flatMap(({ email, score: reached }) => (reached <= BLOCK_SCORE ? [email] : [])));

describe('ordinary senders', () => {
  it('tests the 1,000 best known by rank, and 3,000 names in all', () => {
    expect(RANKED.length).toBeGreaterThan(1_000);
    expect(KNOWN.length).toBeGreaterThan(2_900);
  });

  it.each(Object.keys(POSTURES))('of the best known domains and senders none is blocked, whoever writes there: %s', (posture) => {
    expect(blockedEmails(KNOWN, POSTURES[posture]!)).toEqual([]);
  });

  it.each<[string, MailDns]>([
    ['neither SPF nor DMARC', BARE],
    ['nor MX records', { ...BARE, exchangers: [] }],
  ])('of the small firms none is blocked, whoever writes there: %s', (_posture, dns) => {
    expect(SMALL_FIRMS.length).toBeGreaterThan(50);
    expect(blockedEmails(SMALL_FIRMS, dns)).toEqual([]);
  });

  it('of the internationalised names none is blocked, nor thought odd', () => {
    expect(INTERNATIONAL.length).toBeGreaterThan(100);
    expect(blocked(INTERNATIONAL)).toEqual([]);
    expect(INTERNATIONAL.filter((name) => score(name).score < 100)).toEqual([]);
  });

  it("of brands' own domains for products, mail and content none is blocked, nor thought odd", () => {
    const own =
      `googlewallet.com googleapis.com googleusercontent.com googlevideo.com googlesyndication.com googletagmanager.com googlegroups.com
      googlesource.com googleblog.com googlemail.com googleworkspace.com googlecloud.com withgoogle.com google-analytics.com youtube-nocookie.com
      youtubekids.com amazonses.com amazonpay.com amazonaws.com amazonbusiness.com amazonmusic.com amazonvideo.com amazoncognito.com
      amazontrust.com amazon-adsystem.com media-amazon.com applepay.com applemusic.com apple-dns.net apple-cloudkit.com
      cdn-apple.com appleid.com email.apple.com icloud-content.com paypalobjects.com paypalcredit.com paypal.me
      service.paypal.de microsoftonline.com microsoftonline-p.com microsoftemail.com microsoftstore.com microsoftedge.com microsoftstream.com
      microsoft365.com onmicrosoft.com sharepointonline.com office365.com accountprotection.microsoft.com facebookmail.com facebookbrand.com
      facebook.net cdninstagram.com whatsapp.net netflix.net netflixhouse.com netflixinvestor.com members.netflix.com
      linkedin-ei.com linkedinlearning.com dropboxmail.com dropboxusercontent.com yahoo-inc.com yahooinc.com yahooapis.com ebayinc.com
      ebaystatic.com ebay-kleinanzeigen.de githubusercontent.com githubassets.com githubapp.com spotifycdn.com spotifyforartists.com
      dhlparcel.nl dhlecommerce.nl discordapp.com steamcommunity.com steamusercontent.com telegram.me wellsfargoadvisors.com
      krakenfx.com shopifyemail.com tiktokcdn.com walmartlabs.com alibaba-inc.com`.split(/\s+/);
    expect(own.filter((name) => score(name).score < 100)).toEqual([]);
    expect(blockedEmails(own, BARE)).toEqual([]);
  });

  it("of brands' own domains under other top-level domains none is blocked", () => {
    const brands = 'google amazon ebay paypal yahoo microsoft apple facebook netflix dhl booking revolut spotify dropbox linkedin'.split(
      ' ',
    );
    const tlds =
      'com de fr it es pl nl be at ch ca in jp se no dk fi cz pt gr ie ro hu ru ua co.uk co.jp co.in com.br com.au com.mx com.tr'.split(
        ' ',
      );
    expect(blocked(brands.flatMap((brand) => tlds.map((tld) => `${brand}.${tld}`)))).toEqual([]);
  });

  it('docs/email-verify.md lists those of them that score below 80, and what was found', () => {
    const rows = [...KNOWN, ...INTERNATIONAL].flatMap((name) => {
      const { score: reached, factors } = score(name);
      return reached < 80 ? [`| \`${name}\` | ${reached} | ${factors.map(({ factor }) => `\`${factor}\``).join(', ')} |`] : [];
    });
    const page = read('../../../docs/email-verify.md');
    const section = page.slice(page.indexOf('## Ordinary senders'));
    expect(section.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
    expect(section.includes('None scores below 80')).toBe(rows.length === 0);
  });
});

describe('public mailboxes', () => {
  const providers: string[] = JSON.parse(readFileSync(new URL(import.meta.resolve('email-providers/all.json')), 'utf8'));

  it('are 95 % and more of a list of providers that none was built from', () => {
    expect(providers.length).toBeGreaterThan(8_000);
    const found = providers.filter((name) => domainOf(name).public).length;
    expect(found / providers.length).toBeGreaterThanOrEqual(0.95);
  });

  it('are free at few of the best known, all of which have given mailboxes away', () => {
    const curated = new Set(FREE_PROVIDERS);
    expect(RANKED.filter((name) => domainOf(name).free && !curated.has(name))).toEqual(['msn.cn']);
    // The list of universities has pages of theirs at hosts of others.
    const pages = ['aol.com', 'berlin.de', 'chat.ru', 'freeyellow.com', 'geocities.com', 'rotfl.com'];
    expect(UNIVERSITIES.filter((name) => domainOf(name).free)).toEqual(pages);
  });

  it('that are paid for, forward or are for an hour are not free', () => {
    const names = ['fastmail.com', 'comcast.net', 'privaterelay.appleid.com', 'mailinator.com', 'example.org', 'paypal.com'];
    expect(names.filter((name) => domainOf(name).free)).toEqual([]);
  });
});

describe('user names of functions and teams', () => {
  it('are known in six languages, and people are none of them', () => {
    const roles =
      'sales support buchhaltung vendas ventas comptabilite reclamos secretaria kontakt biuro redazione noreply help-desk hr.dept'.split(
        ' ',
      );
    expect(roles.filter((name) => !judgeUsername(name, NAMES).role)).toEqual(['reclamos']);
    const people = 'jane.doe sydney paris chelsea alexa india.arie austin mayor.smith john stripe chef'.split(' ');
    expect(people.filter((name) => judgeUsername(name, NAMES).role)).toEqual([]);
  });
});

describe('disposable domains', () => {
  const burner = names(readFileSync(new URL(import.meta.resolve('burner-email-providers/emails.txt')), 'utf8'));

  it('finds 95 % and more of a list that it was not built from', () => {
    expect(burner.length).toBeGreaterThan(50_000);
    const found = burner.filter((name) => MAILBOXES.disposability(name) !== 'none').length;
    expect(found / burner.length).toBeGreaterThanOrEqual(0.95);
  });

  it('has no provider that people stay with, and none of the best known domains', () => {
    const providers =
      'gmail.com outlook.com hotmail.com yahoo.com gmx.de gmx.net web.de proton.me protonmail.com fastmail.com icloud.com mail.ru qq.com'.split(
        ' ',
      );
    const kept = [...providers, ...FREE_PROVIDERS, ...names(read('../../../packages/intel/src/names/lists/paid-mail.txt')), ...KNOWN];
    expect(kept.filter((name) => MAILBOXES.disposability(name) !== 'none')).toEqual([]);
  });

  it('of the common providers, by a list that it was not built from, blocks services for throw-away mailboxes alone', () => {
    expect(COMMON.length).toBeGreaterThan(300);
    const throwAway =
      '10minutemail bugmenot chacuo cu emailondeck guerrillamail mail-tester mailinator privacy temp-mail yopmail yourdomain'.split(' ');
    expect(blocked(COMMON).filter((name) => !throwAway.includes(name.slice(0, name.indexOf('.'))))).toEqual([]);
  });

  it.each(
    'aver.com acne.com sdf.org pop.com a.com 51.com cdc.com 99.com airmail.cc cock.li mail2world.com in-ulm.de test.de angi.com'.split(' '),
  )('does not block %s, which lists have though it is none', (name) => {
    expect(blocked([name])).toEqual([]);
  });

  it.each(
    'mooo.com us.to chickenkiller.com strangled.net ignorelist.com undo.it uk.to ydns.eu linkpc.net pe.hu esy.es rf.gd epizy.com fr.nf'.split(
      ' ',
    ),
  )('holds what is listed below %s against nobody beside it', (name) => {
    expect([name, `home.${name}`].filter((host) => MAILBOXES.disposability(host) !== 'none')).toEqual([]);
  });

  it('has no university, and no government', () => {
    expect(UNIVERSITIES.filter((name) => MAILBOXES.disposability(name) !== 'none' && domainOf(name).educational)).toEqual([]);
    expect(KNOWN.filter((name) => isGovernmentHost(name) && domainOf(name).disposable !== 'none')).toEqual([]);
  });
});

describe('educational domains', () => {
  it('finds 90 % and more of a list that it was not built from', () => {
    expect(UNIVERSITIES.length).toBeGreaterThan(8_000);
    const found = UNIVERSITIES.filter((name) => domainOf(name).educational).length;
    expect(found / UNIVERSITIES.length).toBeGreaterThanOrEqual(0.9);
  });

  it('whatever is refused as a government or a school is told as one of them', () => {
    const told = (name: string) => domainOf(name).government || domainOf(name).educational;
    const refused = [...KNOWN, ...UNIVERSITIES, 'un.int', 'who.int', 'example.gov', 'example.gc.ca', '政府.香港'].filter(isProtectedHost);
    expect(refused.length).toBeGreaterThan(1_000);
    expect(refused.filter((name) => !told(name))).toEqual([]);
  });
});

describe('DomainList', () => {
  it('finds what is in it and nothing else', () => {
    const name = fc.stringMatching(/^[a-z0-9.-]{1,12}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, maxLength: 60 }),
        fc.array(name, { maxLength: 20 }),
        fc.boolean(),
        (members, others, head) => {
          const list = new DomainList(
            Buffer.from(
              `${head ? '# head\n# more\n' : ''}${members
                .toSorted()
                .map((member) => `${member}\n`)
                .join('')}`,
            ),
          );
          expect(members.filter((member) => !list.has(member))).toEqual([]);
          expect(others.filter((other) => list.has(other) !== members.includes(other))).toEqual([]);
        },
      ),
    );
  });

  it('is not made of a file that was cut off', () => {
    expect(() => new DomainList(Buffer.from('a.example\nb.exa'))).toThrow(RangeError);
    expect(() => new DomainList(Buffer.from('# head'))).toThrow(RangeError);
    expect(() => new DomainList(Buffer.alloc(0))).toThrow(RangeError);
  });

  it('is sorted as bisection needs it', () => {
    for (const file of [...DISPOSABLE_SOURCES.map((source) => `disposable/${source}`), 'education']) {
      const lines = names(read(`../../../packages/intel/src/mailboxes/${file}.txt`));
      expect(lines).toEqual(lines.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
    }
  });

  it('knows subdomains, not names that only end alike', () => {
    const list = new DomainList(Buffer.from('a.example\n'));
    expect(['a.example', 'x.y.a.example', 'ba.example', 'example', ''].map((name) => isOrIsBelow(name, list))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
