import { canonicalEmail, parseEmail } from '@vedette/mail/email';
import { describe, expect, it } from 'vitest';

describe('parseEmail', () => {
  it('takes an address apart', () => {
    expect(parseEmail('First.Last+tag@Mail.Example.CO.UK')).toEqual({
      text: 'First.Last+tag@Mail.Example.CO.UK',
      valid: true,
      username: 'First.Last+tag',
      domain: 'mail.example.co.uk',
      rootDomain: 'example.co.uk',
      subdomain: 'mail',
      tld: 'co.uk',
      validTld: true,
    });
  });

  it.each([
    ['RFC 5322 §3.2.3: every character of an atom', "!#$%&'*+-/=?^_`{|}~a1@example.org"],
    ['RFC 5321 §4.1.2: a quoted string', '"john doe"@example.org'],
    ['RFC 5321 §4.1.2: a quoted pair', String.raw`"a\"b"@example.org`],
    ['RFC 6531 §3.3: UTF-8', 'пользователь@example.org'],
    ['RFC 5890: an internationalised domain', 'user@bücher.example.org'],
    ['RFC 5321 §4.5.3.1.1: 64 octets of local part', `${'a'.repeat(64)}@example.org`],
  ])('%s', (_rule, text) => {
    expect(parseEmail(text).valid).toBe(true);
  });

  it.each([
    ['no at sign', 'example.org'],
    ['no local part', '@example.org'],
    ['no domain', 'user@'],
    ['RFC 5321 §4.1.2: two dots', 'a..b@example.org'],
    ['RFC 5321 §4.1.2: a dot first', '.a@example.org'],
    ['RFC 5321 §4.1.2: a dot last', 'a.@example.org'],
    ['a space', 'a b@example.org'],
    ['RFC 3629 §3: half a surrogate pair', '\ud800@example.org'],
    ['the same in quotes', '"\udfff"@example.org'],
    ['a space around', ' user@example.org'],
    ['a line break', 'user@example.org\n'],
    ['a quote that is not closed', '"a@example.org'],
    ['an at sign outside quotes', 'a@b@example.org'],
    ['RFC 5322 §3.2.2: a comment', 'user(comment)@example.org'],
    ['a display name', 'User <user@example.org>'],
    ['an address literal', 'user@[192.0.2.1]'],
    ['an address', 'user@192.0.2.1'],
    ['one label', 'user@localhost'],
    ['a trailing dot', 'user@example.org.'],
    ['an underscore in the domain', 'user@a_b.example.org'],
    ['a hyphen first', 'user@-example.org'],
    ['RFC 5321 §4.5.3.1.1: 65 octets of local part', `${'a'.repeat(65)}@example.org`],
    ['the octets of UTF-8 count', `${'é'.repeat(33)}@example.org`],
    ['RFC 5321 §4.5.3.1.3: 255 octets in all', `aaa@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.example`],
  ])('refuses %s', (_what, text) => {
    expect(parseEmail(text).valid).toBe(false);
  });

  it.each([
    ['example.org', true],
    ['example.co.uk', true],
    ['example.xn--p1ai', true],
    ['example.notatld', false],
    ['example.local', false],
  ])('%s: suffix known is %s', (domain, known) => {
    expect(parseEmail(`user@${domain}`).validTld).toBe(known);
  });
});

describe('canonicalEmail', () => {
  it.each([
    ['John.Doe+shop@GoogleMail.com', 'johndoe@gmail.com'],
    ['john.doe@example.org', 'john.doe@example.org'],
    ['John+tag@example.org', 'john+tag@example.org'],
    ['john+tag@outlook.com', 'john@outlook.com'],
    ['john+tag@hotmail.co.uk', 'john@hotmail.co.uk'],
    ['john-shop@yahoo.com', 'john@yahoo.com'],
    ['john-shop@ymail.com', 'john@ymail.com'],
    ['john+tag@yandex.com.tr', 'john@yandex.ru'],
    ['john+tag@yandex.example.org', 'john+tag@yandex.example.org'],
    ['john-shop@yahoo.example.org', 'john-shop@yahoo.example.org'],
    ['john+tag@live.example.org', 'john+tag@live.example.org'],
    ['john@me.com', 'john@icloud.com'],
    ['john_doe+x@pm.me', 'johndoe@proton.me'],
    ['john-doe@ya.ru', 'johndoe@yandex.ru'],
    ['shop@john.fastmail.com', 'john@fastmail.com'],
    ['john+shop@fastmail.com', 'john@fastmail.com'],
    ['+tag@gmail.com', '+tag@gmail.com'],
    ['"John Doe"@gmail.com', '"john doe"@gmail.com'],
    ['not an address', 'not an address'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalEmail(parseEmail(text), [])).toBe(canonical);
  });
  it.each([
    ['aspmx.l.google.com', 'john@example.org'],
    ['example-org.mail.protection.outlook.com', 'john@example.org'],
    ['mx.example.org', 'john+tag@example.org'],
    ['notgoogle.com', 'john+tag@example.org'],
  ])('with the exchanger %s john+tag is %s', (exchanger, canonical) => {
    expect(canonicalEmail(parseEmail('john+tag@example.org'), [exchanger])).toBe(canonical);
  });
});
