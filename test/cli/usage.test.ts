import { expect, it } from 'vitest';
import { json, vedette } from './vedette.ts';

const USAGE = {
  since: '2026-11-26',
  until: '2026-11-28',
  credits: 16,
  requests: 4,
  days: [
    { day: '2026-11-26', credits: 10, requests: 2 },
    { day: '2026-11-27', credits: 0, requests: 0 },
    { day: '2026-11-28', credits: 6, requests: 2 },
  ],
  operations: [
    { operation: 'ping-test', credits: 15, requests: 3 },
    { operation: 'dns-lookup', credits: 1, requests: 1 },
  ],
  keys: [
    {
      id: 'abcdefghijklmnop',
      name: '=HYPERLINK("https://evil.example","x"), \u001b[2J\u202eweb',
      account: 'acct_0123456789ab',
      credits: 11,
      requests: 3,
    },
    { id: '', name: '', account: 'acct_0123456789ab', credits: 5, requests: 1 },
  ],
};

it('prints what was charged by day, operation and key', async () => {
  const { out, told, code, asked } = await vedette(['usage'], () => json(USAGE));
  expect([told, code, asked.map(({ url, key }) => [url, key])]).toEqual(['', 0, [['https://api.example.org/v2/usage', 'vdt_test']]]);
  expect(out).toMatchInlineSnapshot(`
    "16 credits for 4 requests, UTC days from 2026-11-26 to 2026-11-28

    DAY         CREDITS  REQUESTS
    2026-11-28        6         2
    2026-11-26       10         2

    OPERATION   CREDITS  REQUESTS
    ping-test        15         3
    dns-lookup        1         1

    KEY               NAME                                            ACCOUNT            CREDITS  REQUESTS
    abcdefghijklmnop  =HYPERLINK("https://evil.example","x"), [2Jweb  acct_0123456789ab       11         3
    -                 -                                               acct_0123456789ab        5         1
    "
  `);
});

it('of a period, a key and an account', async () => {
  const { asked } = await vedette(['usage', '--days', '7', '--key', 'person:a&b', '--account', 'acct_1'], () => json(USAGE));
  expect(asked[0]!.url).toBe('https://api.example.org/v2/usage?days=7&key=person%3Aa%26b&account=acct_1');
});

it('as JSON: the answer as it came', async () => {
  const { out } = await vedette(['usage', '--json'], () => json(USAGE));
  expect(JSON.parse(out)).toEqual(USAGE);
});

it('as CSV: every day, and no formula in the name of a key', async () => {
  const { out } = await vedette(['usage', '--csv'], () => json(USAGE));
  expect(out.split('\r\n')).toEqual([
    'by,id,name,account,credits,requests',
    'day,2026-11-26,,,10,2',
    'day,2026-11-27,,,0,0',
    'day,2026-11-28,,,6,2',
    'operation,ping-test,,,15,3',
    'operation,dns-lookup,,,1,1',
    `key,abcdefghijklmnop,"'=HYPERLINK(""https://evil.example"",""x""), [2Jweb",acct_0123456789ab,11,3`,
    'key,,,acct_0123456789ab,5,1',
    '',
  ]);
});

it('says that nothing was charged', async () => {
  const nothing = {
    ...USAGE,
    credits: 0,
    requests: 0,
    operations: [],
    keys: [],
    days: USAGE.days.map((day) => ({ ...day, credits: 0, requests: 0 })),
  };
  const { out } = await vedette(['usage'], () => json(nothing));
  expect(out).toBe('0 credits for 0 requests, UTC days from 2026-11-26 to 2026-11-28\n');
});

it.each([
  [['--account', 'acct_1'], 403, 'role_not_allowed', 3],
  [[], 429, 'rate_limited', 4],
  [[], 503, 'ledger_unavailable', 5],
])('exits with the code of a refusal: %j, %d', async (words, status, code, exit) => {
  const said = await vedette(['usage', ...words], () => json({ error: 'No', code }, status));
  expect([said.code, said.out, said.told.split('\n')[0]]).toEqual([exit, '', 'vedette: No']);
});

it.each([[['--csv', '--json']], [['--days', 'seven']], [['--day', '7']]])('refuses %j, and asks nothing', async (words) => {
  const { code, asked } = await vedette(['usage', ...words]);
  expect([code, asked]).toEqual([2, []]);
});
