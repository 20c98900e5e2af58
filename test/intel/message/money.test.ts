import { describe, expect, it } from 'vitest';
import { namesHighSum } from '../../../packages/intel/src/message/money.ts';

describe('a high sum', () => {
  it.each([
    '$10,000',
    'pay $ 10000.00 today',
    'US$12,500',
    'USD 15k',
    '15,000 USD',
    '€ 12.500,00',
    '12.500 €',
    '12.500,- EUR',
    'EUR 10 000,00',
    '10\u202f000 €',
    "CHF 25'000.–",
    '1.5 million dollars',
    '$2.3M',
    '2 Mio. EUR',
    'ein Betrag von 10.000 Euro',
    '£1,000,000',
    'R$ 10.000,00',
    '₹ 10,00,000',
    'Rs. 50 lakh',
    '5 lakh rupees? No: 15 lakh rupees',
    '¥1,500,000',
    '3.000.000 円',
    '报价为 ¥850,000 元',
    '1 250 000,00 руб.',
    'Betrag: EUR 99999',
    '0.25 BTC',
    '100 000 kr',
    '45 thousand pounds',
    '10.000 zł',
    'invoice 1 EUR 12.500,00',
    '12.500 € 20 Stück',
    '1.000-12.500 €',
    '$12,500USD',
    'TRY 150,000',
  ])('%s', (text) => {
    expect(namesHighSum(text)).toBe(true);
  });
});

describe('no high sum', () => {
  it.each([
    '$9,999.99',
    '10,000 points',
    'EUR 9.999,99',
    '€ 1.250',
    '$10.00',
    '$10,00',
    '$12.3456',
    '0.05 BTC',
    '¥12,000',
    '12 000 kr',
    '20,000 INR',
    '¥85,000 元',
    '12 500,00 руб.',
    'order 1234567 for $12.50',
    'account 12345678901234567890 EUR',
    'USD and 20000 other words',
    'the $HOME of 10000 users',
    'error 10000',
    '$5 100 times',
    'Euro 2024',
    'customers in 10000 Zagreb',
    '+1 (202) 555-0100',
    '99.999',
    'invoice 100482 EUR 50.00',
    'ref 20251014 $5',
    'order RE-2025-10482 EUR',
    'ticket 1002938475 EUR',
    'try 12345678 again',
    '<002001c144a6$8752e060$56104586@example.org>',
    '<000001dc3d0c$12345678$90000000$@example.org>',
    'room rm 20481',
    'a euro a day for 10000 days',
    '',
  ])('%s', (text) => {
    expect(namesHighSum(text)).toBe(false);
  });
});
