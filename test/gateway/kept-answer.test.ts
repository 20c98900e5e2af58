import { ApiError } from '@vedette/contract';
import type { Account } from '@vedette/ledger';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountOf } from '../ledger/account.ts';
import { type AppServer, openApp, stubLedger } from './app-server.ts';

const REPORT = '{"host":"a.test","text":"\\u202e\\""}';

let server: AppServer;
beforeAll(async () => {
  const ledger = stubLedger();
  server = await openApp({
    ledger: {
      ...ledger,
      recall: () => undefined,
      async authenticate(text, ...rest) {
        const account: Account = accountOf('a', text, 'a');
        if (text === 'key-of-lookups') return { ...account, allowedOperations: ['dns-lookup', 'echo'] };
        return text === 'key-of-a' ? account : ledger.authenticate(text, ...rest);
      },
      async keptAnswer({ id }, key) {
        if (key === 'away') throw new ApiError('ledger_unavailable');
        const [askedAt, keptUntil] = ['2026-11-28T12:00:00Z', '2026-11-28T12:10:00Z'].map((time) => new Date(time)) as [Date, Date];
        return id === 'a' && (key === 'ping' || key === 'echo')
          ? { operation: key === 'ping' ? 'ping-test' : 'echo', answer: REPORT, askedAt, keptUntil }
          : undefined;
      },
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const read = (key: string, idempotencyKey?: string) =>
  server.app.inject({
    url: '/v2/kept-answer',
    headers: { 'x-api-key': key, ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) },
  });

it('is the report that was paid for, with its operation and times, free and not to be cached', async () => {
  const answer = await read('key-of-a', 'ping');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    operation: 'ping-test',
    asked_at: '2026-11-28T12:00:00.000Z',
    kept_until: '2026-11-28T12:10:00.000Z',
    report: JSON.parse(REPORT),
  });
  expect(answer.body).toContain(REPORT);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-service-quota': expect.stringContaining('cost=0') });
});

it.each([
  ['of another account', 'key-of-b', 'ping', 404, 'answer_not_kept'],
  ['that is not kept', 'key-of-a', 'other', 404, 'answer_not_kept'],
  ['of an operation that the key may not use', 'key-of-lookups', 'ping', 403, 'operation_not_allowed'],
  ['without a key', '', 'ping', 401, 'key_missing'],
  ['without an Idempotency-Key', 'key-of-a', undefined, 400, 'missing_parameter'],
  ['of no possible Idempotency-Key', 'key-of-a', 'a b', 400, 'invalid_parameter'],
  ['while the database is away', 'key-of-a', 'away', 503, 'ledger_unavailable'],
] as const)('an answer %s is refused', async (_what, key, idempotencyKey, status, code) => {
  const answer = await read(key, idempotencyKey);
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code]);
  expect(answer.body).not.toContain('a.test');
});

it('a key of some operations reads the answers of these', async () => {
  expect((await read('key-of-lookups', 'echo')).statusCode).toBe(200);
});

it('nothing else is done there', async () => {
  const answer = await server.app.inject({ method: 'POST', url: '/v2/kept-answer', headers: { 'x-api-key': 'key-of-a' }, payload: '{}' });
  expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
});
