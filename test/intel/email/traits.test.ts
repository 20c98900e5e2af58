import { countCharacters, judgeDomain, judgeUsername, parseEmail, suggestDomain } from '@vedette/intel/email';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const holding = (traits: object) => Object.entries(traits).flatMap(([trait, holds]) => (holds === true ? [trait] : []));

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
    ['jane\u200b', ['suspicious']],
    ['ja\u202ene', ['suspicious']],
    ['jane\u00a0doe', ['suspicious']],
    ['"jane doe"', []],
    ['x7k2m9q4w1', ['suspicious']],
    ['asdfgh', ['suspicious']],
    ['qwerty99', ['suspicious']],
    ['aaaaab', ['suspicious']],
    ['bcdfghjk', ['suspicious']],
    ['user8431975', ['suspicious']],
    ['a.b.c.d.e.f', ['suspicious']],
    ['fucker99', ['dirtyWords']],
    ['sh1t', ['dirtyWords']],
    ['big.dick', ['dirtyWords']],
    ['dickens', []],
    ['elon.musk', ['celebrity']],
    ['elonmusk1971', ['celebrity']],
    ['paypal.support', ['imitatesBrand']],
    ['paypal', []],
    ['пользователь', []],
    ['', []],
  ])('%s', (username, expected) => {
    expect(holding(judgeUsername(username))).toEqual(expected);
  });

  it('counts characters of any script', () => {
    expect(countCharacters('Ann-Marie_é.٣7')).toEqual({ dots: 1, underscores: 1, hyphens: 1, digits: 2, letters: 9 });
  });

  it('takes any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 1024 }), (text) => void judgeUsername(text)));
  });
});

describe('judgeDomain', () => {
  it.each<[string, string[]]>([
    ['example.org', []],
    ['gmail.com', ['public', 'free', 'popular']],
    ['mail.ru', ['public', 'free', 'russianFree', 'popular']],
    ['qq.com', ['public', 'free', 'chineseFree', 'popular']],
    ['fastmail.com', ['public']],
    ['mailinator.com', ['public', 'disposable']],
    ['any.mailinator.com', ['public', 'disposable']],
    ['notmailinator.example', []],
    ['simplelogin.com', ['public', 'forwarder']],
    ['privaterelay.appleid.com', ['public', 'forwarder']],
    ['paypal.com', ['popular']],
    ['paypal-login.example.org', ['suspicious']],
    ['paypal-login.com', ['suspicious']],
    ['secure.paypal.account.example.org', ['suspicious']],
    ['a-b-c-d-e.org', ['suspicious']],
    ['bank84312.org', ['suspicious']],
    ['knightsbridge.org', []],
    ['example.xyz', ['riskyTld']],
    ['state.gov', ['government']],
    ['service.gov.uk', ['government']],
    ['meti.go.jp', ['government']],
    ['go.com', []],
    ['example.ac', []],
    ['police.gov.au', ['police', 'government']],
    ['met.police.uk', ['police']],
    ['policescanner.com', []],
    ['mit.edu', ['popular', 'educational']],
    ['ox.ac.uk', ['educational']],
    ['student.uva.nl', ['educational', 'student']],
    ['stud.uni-heidelberg.de', ['educational', 'student']],
    ['student.example.org', []],
    ['fuckers.org', ['dirtyWords']],
  ])('%s', (domain, expected) => {
    expect(holding(judgeDomain(parseEmail(`user@${domain}`), []))).toEqual(expected);
  });

  it('knows a disposable service by its mail exchanger', () => {
    expect(holding(judgeDomain(parseEmail('user@example.org'), ['mail2.mailinator.com']))).toEqual(['public', 'disposable']);
    expect(holding(judgeDomain(parseEmail('user@example.org'), ['mx.example.net']))).toEqual([]);
  });
});

describe('suggestDomain', () => {
  it.each([
    ['gmial.com', true, 'gmail.com'],
    ['gmai.com', true, 'gmail.com'],
    ['gmail.con', false, 'gmail.com'],
    ['gmaill.co', false, 'gmail.com'],
    ['gmaill.co', true, undefined],
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
