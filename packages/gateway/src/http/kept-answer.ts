import { ApiError } from '@vedette/contract';
import { assertAllowed, type Ledger } from '@vedette/ledger';
import type { FastifyInstance } from 'fastify';
import { JSON_TYPE, setQuota } from '../door/answer-headers.ts';
import { idempotencyOf, NO_BODY } from './operation-route.ts';

export const KEPT_ANSWER_PATH = '/v2/kept-answer';

/**
 * `GET /v2/kept-answer`: the report that the account has paid for under an `Idempotency-Key`, as long as it is kept. Measures nothing and costs nothing: without such an
 * answer it is a 404, where a repetition of the request would run again. A key that may not use the operation does not read its reports.
 */
export function registerKeptAnswer(app: FastifyInstance, ledger: Ledger): void {
  app.get(KEPT_ANSWER_PATH, { config: { role: 'viewer' }, exposeHeadRoute: true }, async (request, reply) => {
    const { account, address } = request.admitted!;
    const named = idempotencyOf(request, NO_BODY);
    if (named === undefined) throw new ApiError('missing_parameter', 'Idempotency-Key', { param: 'Idempotency-Key' });
    const kept = await ledger.keptAnswer(account, named.key);
    if (kept === undefined) throw new ApiError('answer_not_kept');
    const { operation, answer, askedAt, keptUntil } = kept;
    assertAllowed(account, operation, address);
    setQuota(reply, ledger, account, 0);
    const head = JSON.stringify({ operation, asked_at: askedAt, kept_until: keptUntil });
    // The report is JSON already.
    return reply.headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store' }).send(`${head.slice(0, -1)},"report":${answer}}`);
  });
}
