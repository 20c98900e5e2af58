import { describe, expect, it } from 'vitest';
import { IndicatorReader } from '@vedette/message/indicators';

const read = async (text: string) => {
  const reader = new IndicatorReader();
  reader.text(text);
  return await reader.read();
};

describe('URLs of a text', () => {
  it.each([
    // Where they end.
    ['See https://a.test/one, then go.', ['https://a.test/one']],
    ['Is it https://a.test/one? Yes: "https://b.test/two".', ['https://a.test/one', 'https://b.test/two']],
    ['(https://a.test/x_(y)) and [https://b.test/z]', ['https://a.test/x_(y)', 'https://b.test/z']],
    ['[link](https://a.test/markdown) **https://b.test/bold**', ['https://a.test/markdown', 'https://b.test/bold']],
    ['„https://a.test/de“ «https://b.test/fr» “https://c.test/en”', ['https://a.test/de', 'https://b.test/fr', 'https://c.test/en']],
    ["href='https://a.test/x'>", ['https://a.test/x']],
    ["https://a.test/Schindler's_List", ["https://a.test/Schindler's_List"]],
    ['https://a.test/one,https://b.test/two;https://c.test/three', ['https://a.test/one', 'https://b.test/two', 'https://c.test/three']],
    ['https://a.testhttps://b.test/two', ['https://a.test/', 'https://b.test/two']],
    ['{"url":"https://a.test/json"}', ['https://a.test/json']],
    ['{"url":"https:\\/\\/a.test\\/escaped"}', ['https://a.test/escaped']],
    ['请访问https://a.test/login进行验证。', ['https://a.test/login']],
    ['https://evil.com请登录', ['https://evil.com/']],
    ['https://a.test/x。次に', ['https://a.test/x']],
    ['Ende: https://a.test.', ['https://a.test/']],
    ['https://a.test:8443/p?q=1#f', ['https://a.test:8443/p?q=1#f']],
    ['ftp://files.a.test/x.zip', ['ftp://files.a.test/x.zip']],
    // How they are spelt.
    ['HTTPS://A.TEST/Path', ['https://a.test/Path']],
    ['https://münchen.test/ä', ['https://xn--mnchen-3ya.test/%C3%A4']],
    ['https://%65vil.test/x', ['https://evil.test/x']],
    ['https://paypal.com@evil.test/', ['https://paypal.com@evil.test/']],
    ['https://paypal.com&session=1@evil.test/', ['https://paypal.com&session=1@evil.test/'.replace('=', '%3D')]],
    ['https://e\u200bvil.te\u00adst/x', ['https://evil.test/x']],
    ['ｈｔｔｐｓ://evil.test/x', ['https://evil.test/x']],
    // Without a scheme.
    ['Go to www.evil.test/login now', ['http://www.evil.test/login']],
    ['bit.ly/3xYz and evil.com:8080/a.', ['http://bit.ly/3xYz', 'http://evil.com:8080/a']],
    // Defanged.
    ['hxxp://evil[.]com/a', ['http://evil.com/a']],
    ['hXXps[:]//evil[.]co[.]uk[/]a', ['https://evil.co.uk/a']],
    [
      'hxxps://evil(.)com/a hxxps://evil{.}com/b hxxps://evil[dot]com/c',
      ['https://evil.com/a', 'https://evil.com/b', 'https://evil.com/c'],
    ],
    ['h**ps://evil (dot) com/x', ['https://evil.com/x']],
    ['http[:]//192.0.2[.]1/x', ['http://192.0.2.1/x']],
    ['hxxp[://]evil[.]com/x', ['http://evil.com/x']],
    ['[http]://evil.com/x', ['http://evil.com/x']],
    ['https://evil[.com/x https://evil.]com/y https://evil\\.com/z', ['https://evil.com/x', 'https://evil.com/y', 'https://evil.com/z']],
    ['evil[.]com/path', ['http://evil.com/path']],
    ['fxp://evil[.]com/x', ['ftp://evil.com/x']],
  ])('%s', async (text, urls) => {
    expect((await read(text)).urls).toEqual(urls);
  });

  it.each([
    'Version 1.2.3/4 of 12.05.2024/B, e.g.this/that, i.e./or, and/or, he/she',
    'src/index.ts/x, README.md/x, main.py/run, node.js/express, C:\\dir\\file.txt, /etc/passwd, ./a.b/c',
    'Mr./Mrs. Smith, S.A./N.V., U.S./UK, 24/7, km/h, 10.0.0.0/8, a.k.a./x',
    'https:// and http://... and https://<host>/ and www. and www.. and http://intranet/page',
    'xmlns="http://www.w3.org/1999/xhtml" "http://schemas.microsoft.com/office/2004/12/omml"',
    'http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd',
    'sftp://host.a.test/x',
    'invoice.pdf setup.exe example.com Amazon.de report.final.docx',
  ])('are not in: %s', async (text) => {
    expect(await read(text)).toMatchObject({ urls: [], hosts: [] });
  });

  it('are told of names that were defanged', async () => {
    const { urls, hosts } = await read('C2: evil[.]com, mail(dot)evil[.]co[.]uk and evil\\[.]example. IP 192.0.2[.]7');
    expect(urls).toEqual([]);
    expect(hosts).toEqual(['evil.com', 'mail.evil.co.uk']);
  });

  it.each(['http://2130706433/x', 'http://0x7f000001/x', 'http://0177.0.0.1/x', 'http://127.1/x', 'http://127.0.0.1/x'])(
    'have an address as their host in whatever spelling: %s',
    async (text) => {
      expect(await read(text)).toMatchObject({ urls: ['http://127.0.0.1/x'], with_ip_host: ['http://127.0.0.1/x'] });
    },
  );

  it('have an IPv6 address as their host', async () => {
    expect(await read('(http://[2001:db8::1]:8080/x)')).toMatchObject({ with_ip_host: ['http://[2001:db8::1]:8080/x'] });
  });

  it.each(['https://1.2.3.4.example.com/', 'https://127.0.0.1.nip.io/', 'https://v1.test/1.2.3.4'])('have a name: %s', async (text) => {
    expect((await read(text)).with_ip_host).toEqual([]);
  });
});

describe('e-mail addresses of a text', () => {
  it.each([
    ['Write to Ann.Lee@Example.com, or <bob+x@b.test>.', ['ann.lee@example.com', 'bob+x@b.test']],
    ['mailto:ann@a.test?subject=x', ['ann@a.test']],
    [
      'user[at]evil[.]com, user (at) evil (dot) org, user{at}evil.net, user[@]evil.info',
      ['user@evil.com', 'user@evil.org', 'user@evil.net', 'user@evil.info'],
    ],
    ['bar.john (at) yahoo dot com', ['bar.john@yahoo.com']],
    ['请发送到admin@evil.com请尽快', ['admin@evil.com']],
    ['ann@münchen.de', ['ann@xn--mnchen-3ya.de']],
    ["'ann@a.test' *bob@a.test* email=eve@a.test", ['ann@a.test', 'bob@a.test', 'eve@a.test']],
    ["O'Hara@a.test and x_y-z@sub.a.test.", ["o'hara@a.test", 'x_y-z@sub.a.test']],
  ])('%s', async (text, emails) => {
    expect((await read(text)).emails).toEqual(emails);
  });

  it.each([
    'image001.png@01D9ABCD.12345678 and logo@2x.png and a@b and @user and user@ and a@b.c1',
    'git@github.com:owner/repository.git ssh://git@github.com/owner',
    'package@1.2.3 e.g.this@that meet (at) noon',
    'Message-ID: <CAF-123@mail.gmail.com>\nIn-Reply-To: <abc@b.test>\n> References: <c@d.test>',
    '.@a.test ..@b.test',
  ])('are not in: %s', async (text) => {
    expect((await read(text)).emails).toEqual([]);
  });
});

describe('Bitcoin addresses of a text', () => {
  it.each([
    ['base58check, P2PKH', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['base58check, P2SH', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
    ['bech32, BIP 173', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['bech32m, BIP 350', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ])('%s', async (_kind, address) => {
    expect((await read(`Pay 0.5 BTC to ${address}.`)).bitcoin_addresses).toEqual([address]);
    const wrong = address.slice(0, -1) + (address.endsWith('4') ? '5' : '4');
    expect((await read(`Pay 0.5 BTC to ${wrong}.`)).bitcoin_addresses).toEqual([]);
  });

  it('are in lower case where they were in upper case', async () => {
    expect((await read('BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).bitcoin_addresses).toEqual([
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    ]);
  });

  it.each([
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7k9yq6yt', // bech32m of version 0
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', // the test network
    'bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du', // version 2 in bech32
    'x1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', // within a word
    '11111111111111111111111111111111',
  ])('are not %s', async (text) => {
    expect((await read(text)).bitcoin_addresses).toEqual([]);
  });
});

describe('phone numbers of a text', () => {
  it.each([
    ['+1 (888) 555-0123', ['+18885550123']],
    ['Reach us at +49 30 901820 or +44 (0)20 7946 0958', ['+4930901820', '+442079460958']],
    ['Call 1-888-555-0123 now!', ['+18885550123']],
    ['(888) 555-0123 / 888.555.0124', ['+18885550123', '+18885550124']],
    ['Call 8885550123', ['+18885550123']],
    ['Tel.: 030 901820', ['030901820']],
    ['Telefon: 0171/1234567, téléphone 01 23 45 67 89', ['01711234567', '0123456789']],
    ['Тел.: 8 (495) 123-45-67, позвоните 8 800 555-35-35', ['84951234567', '88005553535']],
    ['電話: 03-1234-5678、手机13812345678。请拨打+861012345678转', ['0312345678', '13812345678', '+861012345678']],
    ['전화 02-123-4567', ['021234567']],
    ['Helpline 1800 266 4332', ['18002664332']],
    [
      'https://wa.me/491711234567?text=hi https://api.whatsapp.com/send/?text=x&phone=%2B15551234567 https://wa.me/message/4917112345678',
      ['+491711234567', '+15551234567'],
    ],
    ['Numero verde 800 123 456', ['800123456']],
    ['0049 30 901820', ['+4930901820']],
    ['𝟏-𝟖𝟖𝟖-𝟓𝟓𝟓-𝟎𝟏𝟐𝟑', ['+18885550123']],
    ['Call 1-800-FLOWERS today', ['+18003569377']],
    ['Phone:888-555-0123', ['+18885550123']],
    ['Dial in by phone +49 69 365057644,,918273645#', ['+4969365057644']],
    ['One tap mobile +16699006833,,82345678901#,,,,*123456#', ['+16699006833']],
    ['Bitte rufen Sie uns an: 0800 330 1000. Llame al 900 123 456', ['08003301000', '900123456']],
  ])('%s', async (text, numbers) => {
    expect((await read(text)).phone_numbers).toEqual(numbers);
  });

  it.each([
    'Version 1.2.3.4567, build 20240115.123456, 2024-01-15 10:30:22',
    'Order 114-1234567-1234567, invoice 2024-000123, ticket 12345678, tracking 1Z9991234567890123',
    'IBAN DE89 3704 0044 0532 0130 00, card 4111 1111 1111 1111',
    '192.168.100.200, 12.05.2024, 1.234.567,89 EUR, $1234567.89, 99.999.999 %',
    'Call ID 12345678, phone case 12345678, call me on 12.05.2024 or from 192.0.2.123',
    '555-123-4567, 123-456-7890, 1700000000000, #88855501234',
    'Support ticket 88812345',
    'Call and enter 918 273 645#',
    'CA 94043-1351, HRB 123456, DE 123 456 789, UPS 1Z999AA10123456784, FedEx 7712 3456 7890, card ending 4242',
    '订单13812345678号 型号2026031712345',
    'Meeting ID: 823 4567 8901 Passcode: 123456, phone PIN: 1234567#',
    '00:1A:2B:3C:4D:5E 9f86d081884c7d659a2feaa0c55ad015 123e4567-e89b-12d3-a456-426614174000 EAN 4006381333931 2024-11-22T10:15:00.000Z',
    '978-3-16-148410-0',
  ])('are not in: %s', async (text) => {
    expect((await read(text)).phone_numbers).toEqual([]);
  });
});
