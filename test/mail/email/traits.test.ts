import { countCharacters, judgeDomain, judgeUsername, parseEmail, suggestDomain } from '@vedette/mail/email';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMailboxes } from '@vedette/intel/mailboxes';
import { createNames, DomainList, shippedNames } from '@vedette/intel/names';

const NAMES = shippedNames();
const MAILBOXES = createMailboxes();
const LISTS = { names: NAMES, mailboxes: MAILBOXES };

/** The traits that hold; of those that are more than yes or no, what they hold. */
const holding = (traits: object): string[] =>
  Object.entries(traits).flatMap(([trait, holds]): string[] => {
    if (typeof holds === 'object') return holding(holds as object);
    if (typeof holds === 'string') return holds === '' || holds === 'none' ? [] : [`${trait}: ${holds}`];
    return holds === true ? [trait] : [];
  });

describe('judgeUsername', () => {
  it.each<[string, string[]]>([
    ['jane.doe', []],
    ['j.doe1985', []],
    ['anna-maria.schmidt', []],
    ['christ.schmidt', []],
    ['knightsbridge', []],
    ['scunthorpe.fan', []],
    ['reputation', []],
    ['matsushita', []],
    ['sales', ['role']],
    ['sales2', ['role']],
    ['Sales+spring', ['role']],
    ['postmaster', ['role', 'system']],
    ['no-reply', ['role', 'noreply']],
    ['noreply+42', ['role', 'noreply']],
    ['orders-noreply', ['role', 'noreply']],
    ['ne-pas-repondre', ['role', 'noreply']],
    ['noreplyson', []],
    ['20261121', ['onlyDigits']],
    ['12345', ['onlyDigits']],
    ['9845012345', ['onlyDigits']],
    ['9800001234', ['onlyDigits']],
    ['1.2.3.4.5.6', ['onlyDigits']],
    ['9'.repeat(40), ['onlyDigits']],
    ['jane.9845012345', []],
    ['jane12345', ['suspicious']],
    ['jane0000', ['suspicious']],
    ['jane____', ['suspicious']],
    ['12345\u200b', ['invisible', 'onlyDigits']],
    ['jane\u200b', ['invisible']],
    ['ja\u202ene', ['invisible']],
    ['jane\u00a0doe', ['invisible']],
    ['"jane doe"', []],
    ['x7k2m9q4w1', ['suspicious']],
    ['asdfgh', ['suspicious']],
    ['qwerty99', ['suspicious']],
    ['aaaaab', ['suspicious']],
    ['bcdfghjk', ['suspicious']],
    ['user8431975', ['suspicious']],
    ['a.b.c.d.e.f', ['suspicious']],
    ['fucker99', ['dirtyWords: obscene']],
    ['sh1t', ['dirtyWords: obscene']],
    ['f.u.c.k', ['dirtyWords: obscene']],
    ['big.dick', ['dirtyWords: doubtful']],
    ['dick.cheney', ['dirtyWords: doubtful']],
    ['fuck', ['dirtyWords: obscene']],
    ['fuckyouall', ['dirtyWords: obscene']],
    ['martin.puta', ['dirtyWords: doubtful']],
    ['klaus.fuckner', []],
    ['lucas.fuckar', []],
    ['t.fucks', ['dirtyWords: doubtful']],
    ['m.merda', ['dirtyWords: doubtful']],
    ['jacob.itchener', []],
    ['merdeka', []],
    ['salopette', []],
    ['tischlampen', []],
    ['jacques.tits', ['dirtyWords: doubtful']],
    ['befestigungsschraube', []],
    ['destreza', []],
    ['marina.cazzola', []],
    ['federico.faggin', []],
    ['dickens', []],
    ['elon.musk', ['celebrity']],
    ['elonmusk1971', ['celebrity']],
    ['paypal.support', ['imitatesBrand', 'namesBrand']],
    ['apple.customer.support', ['imitatesBrand', 'namesBrand']],
    ['team.kraken', ['namesBrand']],
    ['team.chase', ['namesBrand']],
    ['steam.service', ['namesBrand']],
    ['zelle.service', ['namesBrand']],
    ['info.apple', ['namesBrand']],
    ['paypalsupport', ['namesBrand']],
    ['supportnetflix24', ['namesBrand']],
    ['paypaling', []],
    ['chaseinfo', []],
    ['paypal', []],
    ['chase.miller', []],
    ['jane.paypal', []],
    ['пользователь', []],
    ['', []],
  ])('%s', (username, expected) => {
    expect(holding(judgeUsername(username, NAMES))).toEqual(expected);
  });

  it('knows the brands of the operator', () => {
    const names = createNames();
    const judged = () => [
      judgeUsername('zundkraft.support', names).imitatesBrand,
      judgeDomain(parseEmail('a@zundkraft-login.com'), [], { ...LISTS, names }).imitation.lure,
      judgeDomain(parseEmail('a@zundkraft-konto.de'), [], { ...LISTS, names }).imitation.lure,
    ];
    expect(judged()).toEqual([false, '', '']);
    names.setBrands('brands', new TextEncoder().encode('zundkraft-konto.de\tZündkraft\t!zundkraft\t\t'));
    expect(judged()).toEqual([true, 'zundkraft', '']);
  });

  it('counts characters of any script', () => {
    expect(countCharacters('Ann-Marie_é.٣7')).toEqual({ dots: 1, underscores: 1, hyphens: 1, digits: 2, letters: 9 });
  });

  it('takes any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 1024 }), (text) => void judgeUsername(text, NAMES)));
  });
});

describe('judgeDomain', () => {
  it.each<[string, string[]]>([
    ['example.org', []],
    ['gmail.com', ['public', 'free', 'popular']],
    ['mail.ru', ['public', 'free', 'russianFree', 'popular']],
    ['qq.com', ['public', 'free', 'chineseFree', 'popular']],
    ['fastmail.com', ['public']],
    ['mailinator.com', ['public', 'disposable: known']],
    ['any.mailinator.com', ['public', 'disposable: known']],
    ['notmailinator.example', []],
    ['simplelogin.com', ['public', 'forwarder']],
    ['privaterelay.appleid.com', ['public', 'forwarder']],
    ['paypal.com', ['popular']],
    ['google-analytics.com', ['popular']],
    ['googlewallet.com', []],
    ['googlewallet.example', ['lure: google']],
    ['coinbase-wallet.example', ['lure: coinbase', 'mention: coinbase']],
    // Brands at home under other top-level domains.
    ['google.pl', []],
    ['ebay.ca', []],
    ['paypal.co.uk', []],
    ['accounts.google.co.jp', []],
    ['paypal-login.example.org', ['lure: paypal', 'mention: paypal']],
    ['paypal-login.com', ['lure: paypal', 'mention: paypal']],
    ['paypallogin.com', ['lure: paypal']],
    ['paypal.com.example.org', ['lure: paypal', 'mention: paypal']],
    ['secure.paypal.account.example.org', ['lure: paypal', 'mention: paypal']],
    ['chase-verification.com', ['lure: chase', 'mention: chase']],
    ['chase-secure-update.com', ['lure: chase', 'mention: chase']],
    ['steam-paypal-restore.com', ['lure: paypal', 'mention: steam']],
    ['chase-recovery.com', ['mention: chase']],
    ['steam-restore.de', ['mention: steam']],
    ['kraken-id.de', ['mention: kraken']],
    ['discordbonus.com', []],
    ['zelle-berlin.de', []],
    ['santander-turismo.es', []],
    ['fuckner.de', []],
    ['fuckner-bau.de', []],
    ['puta.cz', ['dirtyWords: doubtful']],
    ['paypal-deutschland.de', ['mention: paypal']],
    ['apple-farm.com', []],
    // Another brand's letters, and words of their own.
    ['kemel.nl', []],
    ['allégro.fr', []],
    ['médium.fr', []],
    ['stearn.com', []],
    ['kråken.no', []],
    ['kråken.se', []],
    // Words that no language has.
    ['stripé.fr', ['homograph: stripe']],
    ['amazón.es', ['homograph: amazon']],
    ['santandér.es', ['homograph: santander']],
    ['télégram.fr', ['homograph: telegram']],
    ['facébook.com', ['homograph: facebook']],
    ['pàypal.com', ['homograph: paypal']],
    ['аmаzоn.com', ['homograph: amazon', 'mixedScripts']],
    ['аmаzón.com', ['homograph: amazon', 'mixedScripts']],
    ['krαken.com', ['homograph: kraken', 'mixedScripts']],
    ['strıpe.com', ['homograph: stripe']],
    ['rnicrosoft.com', ['homograph: microsoft']],
    ['paypa1.com', ['homograph: paypal']],
    ['ɢoogle.com', ['homograph: google']],
    ['bookingconfirmation.com', []],
    // One of these alone is a weak sign.
    ['a-b-c-d-e.org', ['oddName']],
    ['one-two-three-four-five-six-seven.org', ['oddName']],
    ['buy-cheap-medicines-online-without-prescription.com', ['oddName']],
    ['cheap-abcdefghijklmnopqrstuvwxyzabcde.org', ['oddName']],
    ['shop-x7k2m9q4w1.org', ['oddName']],
    ['bank84312.org', ['oddName']],
    ['abcdefghijklmnopqrstuvwxyzabcde.org', ['oddName']],
    ['12345.com', []],
    ['landkreis-schmalkalden-meiningen.de', []],
    ['rechtsanwaelte-schmidt-und-partner.de', []],
    ['gemeinschaftspraxis-dres-mueller.de', []],
    ['stadtwerke-villingen-schwenningen.de', []],
    ['freiwillige-feuerwehr-bad-neuenahr-ahrweiler.de', []],
    ['st-johns-primary-school-of-hull.org.uk', []],
    ['e-t-a-hoffmann-gymnasium.de', []],
    ['münchen-mail.de', []],
    ['bäckerei-höß-und-söhne.de', []],
    ['knightsbridge.org', []],
    ['example.xyz', ['riskyTld']],
    ['state.gov', ['government']],
    ['service.gov.uk', ['government']],
    ['meti.go.jp', ['government']],
    ['un.int', ['government']],
    ['go.com', []],
    ['go.de', []],
    ['example.ac', []],
    ['police.gov.au', ['police', 'government']],
    ['met.police.uk', ['police', 'government']],
    ['policescanner.com', []],
    ['mit.edu', ['popular', 'educational']],
    ['ox.ac.uk', ['educational']],
    ['student.uva.nl', ['educational', 'student']],
    ['stud.uni-heidelberg.de', ['educational', 'student']],
    ['alumni.uned.es', ['educational', 'student']],
    ['hs-analytics.net', []],
    ['student.example.org', []],
    ['fuckers.org', ['dirtyWords: obscene']],
    ['porn.com', ['dirtyWords: doubtful']],
  ])('%s', (domain, expected) => {
    expect(holding(judgeDomain(parseEmail(`user@${domain}`), [], LISTS))).toEqual(expected);
  });

  it('knows a disposable service by its mail exchanger', () => {
    expect(holding(judgeDomain(parseEmail('user@example.org'), ['mail2.mailinator.com'], LISTS))).toEqual(['public', 'disposable: known']);
    expect(holding(judgeDomain(parseEmail('user@example.org'), ['mail.wabblywabble.com'], LISTS))).toEqual(['public', 'disposable: known']);
    expect(holding(judgeDomain(parseEmail('user@example.org'), ['mx.1secmail.net'], LISTS))).toEqual(['public', 'disposable: known']);
    expect(holding(judgeDomain(parseEmail('user@example.org'), ['mx.example.net'], LISTS))).toEqual([]);
  });

  it('takes a listed domain whose mail is with a host for businesses to have changed hands', () => {
    expect(holding(judgeDomain(parseEmail('user@0-mail.com'), ['mx.example.net'], LISTS))).toEqual(['public', 'disposable: known']);
    expect(holding(judgeDomain(parseEmail('user@0-mail.com'), ['aspmx.l.google.com'], LISTS))).toEqual([]);
  });

  it('judges by another list from the moment that it is there', () => {
    const judged = () => holding(judgeDomain(parseEmail('user@a.newest.example'), [], LISTS));
    expect(judged()).toEqual([]);
    MAILBOXES.setDisposable('ours', new DomainList(Buffer.from('# of today\nnewest.example\n')), { curated: true });
    expect(judged()).toEqual(['public', 'disposable: known']);
    MAILBOXES.setDisposable('ours', new DomainList(Buffer.from('others.example\n')), { curated: true });
    expect(judged()).toEqual([]);
  });

  it('believes a curated list alone, and others when two of them agree', () => {
    const judged = () => holding(judgeDomain(parseEmail('user@a.copied.example'), [], LISTS));
    const copied = new DomainList(Buffer.from('copied.example\n'));
    const nothing = new DomainList(Buffer.from('nothing.example\n'));
    MAILBOXES.setDisposable('one', copied, { curated: false });
    expect(judged()).toEqual(['public', 'disposable: unconfirmed']);
    MAILBOXES.setDisposable('other', copied, { curated: false });
    expect(judged()).toEqual(['public', 'disposable: known']);
    MAILBOXES.setDisposable('other', nothing, { curated: false });
    expect(judged()).toEqual(['public', 'disposable: unconfirmed']);
    MAILBOXES.setDisposable('other', copied, { curated: true });
    expect(judged()).toEqual(['public', 'disposable: known']);
    for (const name of ['one', 'other']) MAILBOXES.setDisposable(name, nothing, { curated: false });
    expect(judged()).toEqual([]);
  });

  it.each(['home.mooo.com', 'box.us.to', 'mx1.mail2world.com', 'mx.0-mail.com'])('holds a mail host of %s against nobody', (host) => {
    expect(holding(judgeDomain(parseEmail('jane@a.org'), [host], LISTS))).toEqual([]);
  });
});

describe('suggestDomain', () => {
  it.each([
    ['gmial.com', true, 'gmail.com'],
    ['gmai.com', true, 'gmail.com'],
    ['gmail.con', false, 'gmail.com'],
    ['gmaill.co', false, 'gmail.com'],
    ['gmaill.co', true, undefined],
    // Somebody's own, whatever they resemble.
    ['libera.it', true, undefined],
    ['cloud.com', true, undefined],
    ['never.com', true, undefined],
    ['photon.me', true, undefined],
    ['mgail.com', true, 'gmail.com'],
    ['hotmial.com', undefined, 'hotmail.com'],
    ['yaho.com', true, 'yahoo.com'],
    ['outlok.com', true, 'outlook.com'],
    ['gmail.com', true, undefined],
    ['ymail.com', true, undefined],
    ['email.com', true, undefined],
    ['gmx.at', true, undefined],
    ['aon.com', true, undefined],
    ['aol.co', true, undefined],
    ['aol.co', false, 'aol.com'],
    ['example.org', false, undefined],
    ['', false, undefined],
  ])('%s, taking mail %s: %s', (domain, takesMail, expected) => {
    expect(suggestDomain(domain, takesMail)).toBe(expected);
  });
});
