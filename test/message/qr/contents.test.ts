import { expect, it } from 'vitest';
import { contentOf } from '@vedette/message/qr';

it.each([
  ['https://a.test/x?y=1', 'url', {}],
  ['Example.org/menu', 'url', {}],
  ['mailto:ann@a.test?subject=Hi%20you&body=x', 'email', { to: 'ann@a.test', subject: 'Hi you', body: 'x' }],
  ['MATMSG:TO:ann@a.test;SUB:Hi;BODY:a\\;b;;', 'email', { to: 'ann@a.test', subject: 'Hi', body: 'a;b' }],
  ['SMTP:ann@a.test:Hi:you', 'email', { to: 'ann@a.test', subject: 'Hi', body: 'you' }],
  ['tel:+49-30-1234', 'phone', { number: '+49-30-1234' }],
  ['SMSTO:+4930123:send this', 'sms', { number: '+4930123', body: 'send this' }],
  ['sms:+4930123?body=a%20b', 'sms', { number: '+4930123', body: 'a b' }],
  ['WIFI:T:WPA;S:my\\;net;P:"se\\"cret";H:true;;', 'wifi', { ssid: 'my;net', security: 'WPA', password: 'se"cret', hidden: 'true' }],
  ['WIFI:S:open;;', 'wifi', { ssid: 'open', security: 'nopass' }],
  ['MECARD:N:Doe,Ann;TEL:+4930;EMAIL:a@a.test;;', 'vcard', { name: 'Doe,Ann', phone: '+4930', email: 'a@a.test' }],
  [
    'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann\r\n  Doe\r\nTEL;TYPE=work;VALUE=uri:tel:+4930\r\nitem1.URL:https://a.test\r\nADR:;;Way 1;Town;;1;DE\r\nEND:VCARD',
    'vcard',
    { name: 'Ann Doe', phone: '+4930', url: 'https://a.test', address: 'Way 1, Town, 1, DE' },
  ],
  [
    'BEGIN:VEVENT\nSUMMARY:Tea\\, later\nDTSTART:20261128T100000Z\nEND:VEVENT',
    'event',
    { summary: 'Tea, later', start: '20261128T100000Z' },
  ],
  ['geo:52.52,13.40?q=Tor', 'geo', { latitude: '52.52', longitude: '13.40', query: 'Tor' }],
  [
    'bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?amount=0.1&label=x',
    'crypto',
    { currency: 'bitcoin', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', amount: '0.1', label: 'x' },
  ],
  ['ethereum:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb@1?value=1e18', 'crypto', { currency: 'ethereum', amount: '1e18' }],
  [
    'BCD\n002\n1\nSCT\nBFSWDE33BER\nWikimedia\nDE33100205000001194700\nEUR123.45\n\n\nDonation',
    'payment',
    { bic: 'BFSWDE33BER', name: 'Wikimedia', iban: 'DE33100205000001194700', iban_valid: 'true', amount: 'EUR123.45', text: 'Donation' },
  ],
  ['BCD\n002\n1\nSCT\n\nX\nDE33100205000001194701', 'payment', { iban_valid: 'false' }],
  [
    'otpauth://totp/ACME:ann@a.test?secret=JBSWY3DP&issuer=ACME&digits=6',
    'otp',
    { method: 'totp', account: 'ann@a.test', issuer: 'ACME', secret: 'JBSWY3DP', digits: '6' },
  ],
  ['upi://pay?pa=a@b&am=1', 'uri', { scheme: 'upi' }],
  ['Just a note: https://a.test and more', 'text', {}],
  ['BCD\n003\n1\nSCT', 'text', {}],
])('%s', (text, content_type, details) => {
  const content = contentOf(text);
  expect(content.content_type).toBe(content_type);
  expect(content.details).toMatchObject(details);
});

it('has texts of any length and form within limits', () => {
  for (const text of [
    'WIFI:' + 'S:\\'.repeat(2_000),
    'BEGIN:VCARD\n' + 'A:\n '.repeat(1_500),
    'mailto:?' + '&='.repeat(2_000),
    'MATMSG:TO:' + 'x'.repeat(7_000),
  ])
    for (const value of Object.values(contentOf(text).details)) expect(value.length).toBeLessThanOrEqual(2_000);
});
