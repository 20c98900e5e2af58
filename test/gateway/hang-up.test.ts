import { ApiError, type Resolver } from '@vedette/contract';
import { central, type CentralContext, Host } from '@vedette/operations/kit';
import type { Reservation } from '@vedette/ledger';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Calls } from '../../packages/gateway/src/request/calls.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { OptOuts } from '@vedette/probes/host';
import { registrableDomain } from '../../packages/gateway/src/shares/registrable-domain.ts';
import type { Visit } from '../../packages/gateway/src/door/overload.ts';
import { callable } from '../../packages/gateway/src/request/service.ts';
import { fakeResolver } from '../intel/fake-resolver.ts';
import { SHUT } from '../operations/shut.ts';
import { partsOf } from './parts.ts';
import { accountOf } from '../ledger/account.ts';

const notAsked = () => Promise.reject(new Error('not asked for'));
const account = accountOf('a');

interface Circumstances {
  /** What the operation asks and waits for. */
  run: (context: CentralContext) => Promise<unknown>;
  /** When the client leaves; never, if nothing resolves it. */
  left?: Promise<void>;
  /** It had left before the price was held; or it leaves while it is charged for its answer. */
  leftEarly?: boolean;
  leavesAtLast?: () => void;
  /** What settling throws. */
  unpaid?: ApiError;
}

/** One request for 5 credits, what the ledger and the DNS saw of it, in order, and what a client that left was charged. */
async function call({ run, left, leftEarly = false, leavesAtLast, unpaid }: Circumstances) {
  const seen: string[] = [];
  const dns = fakeResolver({});
  const resolver: Resolver = {
    ...dns,
    async query(name, type, options = {}) {
      await options.gate?.question(name, options.signal);
      seen.push(name);
      return dns.query(name, type, options);
    },
  };
  const reservation: Reservation = { id: 'r', accountId: 'a', operation: 'echo', cost: 5 };
  const metrics = createMetrics();
  const calls = new Calls();
  const { clock } = SHUT;
  const operation = central({
    name: 'echo',
    subject: 'service',
    summary: 'Say the host again',
    cost: 5,
    deadline_ms: 10_000,
    contactsTarget: false,
    dns: { questions: 5, ms: 5_000 },
    request: Type.Object({ host: Host() }),
    response: Type.Object({ host: Type.String() }),
    targets: { host: 'host' },
    examples: [{ host: 'example.org' }],
    read: (_request, { host }) => ({ host: host.host }),
    run: async ({ host }, context) => (await run(context), { host }),
  });
  const { prepare, call: answer } = callable(
    operation,
    partsOf({
      clock,
      ports: { ...SHUT, resolver },
      optOuts: new OptOuts({ resolver, clock, siteOf: registrableDomain }),
      metrics,
      calls,
      ledger: {
        isDenied: () => false,
        usage: notAsked,
        reserve: async () => (seen.push('reserve'), reservation),
        settle: async () => {
          seen.push('settle');
          leavesAtLast?.();
          await left;
          if (unpaid) throw unpaid;
        },
        release: async () => void seen.push('release'),
      },
    }),
  );
  let charged: Promise<number> | undefined;
  const request = {
    account,
    client: { requestId: 'r', address: '192.0.2.1' },
    visit: { away() {}, back() {} } as Visit,
    prepared: prepare({ host: 'Example.org' }),
    idempotency: undefined,
    whenGone(gone: () => Promise<{ charged: number }>) {
      const leave = async () => (await gone()).charged;
      if (leftEarly) charged = leave();
      void left?.then(() => (charged = leave()));
    },
    print: JSON.stringify,
  };
  const outcome = await answer(request).then(
    ({ body }) => JSON.parse(body.toString()) as object,
    (error: unknown) => error,
  );
  await calls.idle();
  const counted = (await metrics.charged.get()).values.reduce((sum, { value }) => sum + value, 0);
  return { outcome, seen, charged: await charged, counted };
}

describe('a client that leaves', () => {
  /** Asks one question, and another when it is told to; the client leaves between them. */
  function twoQuestions() {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    return {
      left,
      async run({ resolver, signal }: CentralContext) {
        await resolver.ask('first.test', 'A', { signal });
        leave();
        await new Promise((resolve) => setImmediate(resolve));
        await resolver.ask('second.test', 'A', { signal });
      },
    };
  }

  it('is charged when something has left for it; what had not started never starts', async () => {
    expect(await call(twoQuestions())).toMatchObject({
      outcome: { code: 'client_gone' },
      seen: ['reserve', 'first.test', 'settle'],
      charged: 5,
      counted: 5,
    });
  });

  it('pays nothing when nothing has left for it', async () => {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const run = async () => {
      leave();
      await new Promise(() => undefined);
    };
    expect(await call({ left, run })).toMatchObject({
      outcome: { code: 'client_gone' },
      seen: ['reserve', 'release'],
      charged: 0,
      counted: 0,
    });
  });

  it('while its price was being held: nothing is asked', async () => {
    expect(await call({ leftEarly: true, run: notAsked })).toMatchObject({
      outcome: { code: 'client_gone' },
      seen: ['reserve', 'release'],
      charged: 0,
    });
  });

  it('while it was being charged for its answer is charged once', async () => {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const run = ({ resolver, signal }: CentralContext) => resolver.ask('first.test', 'A', { signal });
    expect(await call({ left, run, leavesAtLast: leave })).toMatchObject({
      outcome: { host: 'example.org' },
      seen: ['reserve', 'first.test', 'settle'],
      charged: 5,
      counted: 5,
    });
  });

  it('and cannot be charged owes nothing', async () => {
    const unpaid = new ApiError('ledger_unavailable');
    expect(await call({ ...twoQuestions(), unpaid })).toMatchObject({ outcome: { code: 'client_gone' }, charged: 0, counted: 0 });
  });
});

it('a request whose deadline passes is free, though something has left for it', async () => {
  const run = async ({ resolver, signal }: CentralContext) => {
    await resolver.ask('first.test', 'A', { signal });
    throw new ApiError('deadline');
  };
  expect(await call({ run })).toMatchObject({
    outcome: { code: 'deadline' },
    seen: ['reserve', 'first.test', 'release'],
    counted: 0,
  });
});
