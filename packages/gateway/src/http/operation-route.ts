import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '@vedette/contract';
import { askingOf, type Report } from '@vedette/operations/kit';
import type { Account, Ledger } from '@vedette/ledger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { prefersEvents } from './accept.ts';
import { errorBody, toApiError } from '../door/error-handler.ts';
import { bodyLimitOf } from '../door/front-door.ts';
import { EventStream } from './event-stream.ts';
import { hasFiles, printFiles } from './file-answer.ts';
import { JSON_TYPE, setQuota } from '../door/answer-headers.ts';
import type { Visit } from '../door/overload.ts';
import { hasParameters } from '../door/request-schema.ts';
import type { Answer, AnswerBody, Call, Callable, Client } from '../request/service.ts';
import { parseBody } from './strict-json.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;
/** Says of an answer that it was paid for before. */
const REPLAYED = 'idempotency-replayed';
export const NO_BODY = Buffer.alloc(0);
/** A body that takes milliseconds to parse. */
const LONG_BODY_BYTES = 1024 * 1024;

let inputRead: Promise<void> | undefined;

/**
 * Resolves when the event loop has read the input that is there. Answers then leave together and wake their reader once: a wake-up
 * for each was a fifth of a small answer's CPU.
 */
function untilInputRead(): Promise<void> {
  inputRead ??= new Promise((resolve) => {
    globalThis.setImmediate(() => {
      inputRead = undefined;
      resolve();
    });
  });
  return inputRead;
}

/** `POST /v2/<operation>`: the report as JSON, or with `Accept: text/event-stream` the chosen locations, and each of them as it finishes. */
export function registerOperation(app: FastifyInstance, callable: Callable, ledger: Ledger): void {
  const { operation, reportSchema, prepare, call } = callable;
  const takesBody = hasParameters(operation);
  const withFiles = hasFiles(reportSchema);
  const printer = (reply: FastifyReply) => (report: Report) =>
    withFiles ? printFiles(report, (marked) => reply.serializeInput(marked, reportSchema)) : reply.serializeInput(report, reportSchema);
  app.post(`/v2/${operation.name}`, { config: { operation }, bodyLimit: bodyLimitOf(operation) }, async (request, reply) => {
    const bytes = request.bodyBytes ?? NO_BODY;
    const { account, visit } = request.admitted!;
    const streams = askingOf(operation) !== undefined && prefersEvents(request.headers.accept);
    if (streams && request.headers['last-event-id']) return goesNotOn(ledger, account, reply);
    visit.begin();
    const params = takesBody || bytes.length > 0 ? parseBody(bytes) : {};
    if (bytes.length > LONG_BODY_BYTES) await setImmediate(); // others have their turn before it is read
    const shared = {
      account,
      client: clientOf(request),
      visit,
      prepared: prepare(params),
      idempotency: idempotencyOf(request, bytes),
      whenGone: whenGone(request, reply),
      print: printer(reply),
    };
    if (streams) return stream(callable, shared, { ledger, request, reply });
    const { body, cost, replayed } = noted(request, reply, await call(shared));
    if (replayed) reply.header(REPLAYED, 'true');
    await untilInputRead();
    visit.answered();
    setQuota(reply, ledger, account, cost);
    return sendBody(reply, body);
  });
}

/** The client. */
export const clientOf = ({ id, admitted }: FastifyRequest): Client => ({ requestId: id, address: admitted!.address });

/** Tells the work when its client leaves before it has its answer. */
export const whenGone =
  (request: FastifyRequest, reply: FastifyReply): Call['whenGone'] =>
  (gone) => {
    if (reply.raw.closed) void gone();
    else request.clientGone = gone;
  };

/** The answer itself. One with files leaves as it is read, and its length is known all the same. */
export function sendBody(reply: FastifyReply, body: AnswerBody): FastifyReply {
  reply.header('content-type', JSON_TYPE);
  return typeof body === 'string' ? reply.send(body) : reply.header('content-length', body.byteLength).send(body.stream());
}

/** Notes the price and the entries of an answer for the log and the metrics, and frees what is kept for it when it has left. */
export function noted(request: FastifyRequest, reply: FastifyReply, answer: Answer): Answer {
  whenLeft(reply, answer.release);
  request.charged = answer.cost;
  request.entries = answer.entries;
  return answer;
}

/** Calls it when the answer has left, or its client has. */
function whenLeft({ raw, request }: FastifyReply, release: () => void): void {
  if (raw.closed) release();
  else request.releaseAnswer = release;
}

/** The client's Idempotency-Key. Throws `ApiError` invalid_parameter. */
export function idempotencyOf({ headers }: FastifyRequest, bytes: Buffer): Call['idempotency'] {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
    throw new ApiError('invalid_parameter', 'Idempotency-Key must be 1 to 128 printable ASCII characters without spaces', {
      param: 'Idempotency-Key',
    });
  return { key, bodySha256: hash('sha256', bytes, 'buffer') };
}

/**
 * An EventSource reconnects when its stream has ended, as it does when it broke off: 204 makes it stop (WHATWG HTML §9.2.3). Free. An empty
 * id counts as absent.
 */
function goesNotOn(ledger: Ledger, account: Account, reply: FastifyReply): FastifyReply {
  setQuota(reply, ledger, account, 0);
  return reply.code(204).send();
}

/** The quota header tells what the report will cost; a stream that ends with an `error` event instead is free. A replayed report comes alone. */
async function stream(
  { call, chosen, entrySchema }: Callable,
  shared: Call & { visit: Visit },
  { ledger, request, reply }: { ledger: Ledger; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const events = new EventStream(reply);
  try {
    const answer = await call({
      ...shared,
      onReserved(cost) {
        setQuota(reply, ledger, shared.account, cost);
        events.open();
        events.send('locations', JSON.stringify(chosen(shared.prepared)));
      },
      ...(entrySchema && { onEntry: (entry) => events.send('location', reply.serializeInput(entry, entrySchema)) }),
    });
    const { body, cost, replayed } = noted(request, reply, answer);
    if (replayed) {
      setQuota(reply.header(REPLAYED, 'true'), ledger, shared.account, cost);
      events.open();
    }
    shared.visit.answered();
    return events.end('report', body.toString());
  } catch (thrown) {
    if (!events.opened) throw thrown;
    const error = toApiError(thrown);
    request.streamError = error.code;
    if (error.code === 'internal') request.log.error({ request_id: request.id, err: error.cause }, error.message);
    return events.end('error', JSON.stringify(errorBody(error)));
  }
}
