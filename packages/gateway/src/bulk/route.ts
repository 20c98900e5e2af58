import { setImmediate } from 'node:timers/promises';
import { ApiError } from '@vedette/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { setQuota } from '../door/answer-headers.ts';
import { UnderWay } from '../door/front-door.ts';
import { clientOf, idempotencyOf, NO_BODY, whenGone } from '../http/operation-route.ts';
import { parseBody } from '../http/strict-json.ts';
import type { Parts } from '../request/parts.ts';
import type { Prepared } from '../request/prepared.ts';
import type { Callable } from '../request/service.ts';
import { parameterCheck } from '../request/validate.ts';
import type { GateRow } from '../shares/gate.ts';
import { Bulk } from './bulk.ts';
import { Lines } from './lines.ts';
import { BULK_BODY_BYTES, bulkPath, bulkRequest, MAX_ITEMS } from './schemas.ts';

/** Bulk requests that one account may have under way on one gateway: what they hold in memory is bounded so. */
const MAX_BULKS = 4;
/** Reading an item takes up to 0.1 ms. */
const READ_IN_A_TURN = 20;

/** `POST /v2/<operation>/bulk`, for the operations that take such requests: a line of JSON for each item as it ends. */
export function bulkRoutes(app: FastifyInstance, parts: Parts): (callable: Callable) => void {
  const limited = parts.config.settings.VEDETTE_LIMITS === 'on';
  const underWay = new UnderWay(limited ? MAX_BULKS : Infinity, 'bulk requests');

  return (callable) => {
    const { operation, reportSchema } = callable;
    const { bulk: subject } = operation;
    // What is wrong with one item is said of it alone.
    const schema = bulkRequest(operation, Type.Unknown());
    if (subject === undefined || schema === undefined) return;
    const check = parameterCheck(schema);
    app.post(bulkPath(operation.name), { config: { operation, bulk: true }, bodyLimit: BULK_BODY_BYTES }, async (request, reply) => {
      const bytes = request.bodyBytes ?? NO_BODY;
      const { account, visit } = request.admitted!;
      visit.begin();
      const { items: values, ...options } = check(parseBody(bytes));
      const uncount = underWay.enter(account.id, () => undefined);
      try {
        const bulk = new Bulk(callable, parts, {
          account,
          client: clientOf(request),
          idempotency: idempotencyOf(request, bytes),
          items: await readItems(callable, subject, Array.isArray(values) ? values : [], options),
          print: (report) => reply.serializeInput(report, reportSchema),
        });
        setQuota(reply, parts.ledger, account, await parts.calls.count(() => bulk.hold()));
        visit.away();
        whenGone(request, reply)(() => bulk.clientLeft());
        return await send(bulk, reply, parts);
      } finally {
        uncount();
      }
    });
  };
}

async function send(bulk: Bulk, reply: FastifyReply, { calls }: Parts): Promise<FastifyReply> {
  const { request } = reply;
  const lines = new Lines(reply);
  lines.open();
  await calls.count(() => bulk.run(lines));
  request.charged = bulk.charged;
  request.entries = bulk.counts;
  return lines.end();
}

/** Throws `ApiError` where an option is wrong, which all items have in common. */
async function readItems(
  { prepare }: Callable,
  subject: string,
  values: readonly unknown[],
  options: Record<string, unknown>,
): Promise<(Prepared | ApiError)[]> {
  const items: (Prepared | ApiError)[] = [];
  for (const [index, value] of values.entries()) {
    if (index % READ_IN_A_TURN === READ_IN_A_TURN - 1) await setImmediate();
    try {
      items.push(prepare({ ...options, [subject]: value }));
    } catch (error) {
      if (!(error instanceof ApiError) || (error.param !== undefined && error.param !== subject)) throw error;
      items.push(error);
    }
  }
  return items;
}

export const BULK_GATE: GateRow = {
  name: 'Bulk requests',
  limits: `bulk requests of one account under way on one gateway, each of at most ${MAX_ITEMS} items`,
  limit: `${MAX_BULKS}`,
  codes: ['rate_limited'],
  cause: 'account',
};
