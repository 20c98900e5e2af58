import { ApiError } from '@vedette/contract';
import { expect, it } from 'vitest';
import { createAdminGuard } from '../../packages/gateway/src/ops/admin-guard.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { virtualClock } from '../probes/ping/virtual-clock.ts';

const TOKEN = 'Bearer the-right-token-of-all';

function guarded() {
  const clock = virtualClock();
  const metrics = createMetrics();
  const warnings: string[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (_fields: object, text?: string) => void warnings.push(text!) };
  const guard = createAdminGuard({ token: TOKEN.slice('Bearer '.length), clock, metrics, log });
  const outcome = (authorization: string | undefined, address: string): string => {
    try {
      guard(authorization, address);
      return 'in';
    } catch (error) {
      return error instanceof ApiError ? error.code : String(error);
    }
  };
  const refused = async () =>
    Object.fromEntries((await metrics.adminRefused.get()).values.map(({ labels, value }) => [labels.reason, value]));
  return { clock, outcome, warnings, refused };
}

it('listens to ten wrong tokens of an address in ten minutes: a thousand in half a second went unseen once', async () => {
  const { clock, outcome, warnings, refused } = guarded();
  const guesses = Array.from({ length: 1_000 }, (_, i) => outcome(`Bearer guess-${i}`, '192.0.2.7'));
  expect(guesses.filter((code) => code === 'key_unknown')).toHaveLength(10);
  expect(await refused()).toEqual({ wrong_token: 10, blocked: 990 });
  expect(warnings).toEqual(['a wrong admin token was sent', 'too many wrong admin tokens: the address is not listened to']);
  expect(outcome(TOKEN, '192.0.2.7')).toBe('rate_limited');
  expect(outcome(TOKEN, '::ffff:192.0.2.7')).toBe('rate_limited');
  expect(outcome(TOKEN, '192.0.2.8')).toBe('in');
  await clock.sleep(600_000);
  expect(outcome(TOKEN, '192.0.2.7')).toBe('in');
});

it('counts an IPv6 subscriber by its /64, and nobody who sends no token', () => {
  const { outcome } = guarded();
  for (let i = 0; i < 20; i++) outcome(undefined, '2001:db8::1');
  expect(outcome(TOKEN, '2001:db8::1')).toBe('in');
  for (let i = 1; i <= 10; i++) outcome('Bearer guess', `2001:db8::${i}`);
  expect([outcome(TOKEN, '2001:db8::ffff'), outcome(TOKEN, '2001:db8:0:1::1')]).toEqual(['rate_limited', 'in']);
});

it.each(['127.0.0.1', '::ffff:127.0.0.1', '::1'])('shuts %s out for a minute only: the operator is there too', async (address) => {
  const { clock, outcome } = guarded();
  for (let i = 0; i < 10; i++) outcome('Bearer guess', address);
  expect(outcome(TOKEN, address)).toBe('rate_limited');
  await clock.sleep(60_000);
  expect(outcome(TOKEN, address)).toBe('in');
});
