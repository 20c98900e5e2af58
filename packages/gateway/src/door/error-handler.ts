import { once } from 'node:events';
import type { Socket } from 'node:net';
import { ApiError, type ApiErrorCode } from '@vedette/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE, TEXT_TYPE } from './answer-headers.ts';
import type { Connection } from './connections.ts';
import type { Refusals } from './refusals.ts';

/** The client's view of any failure. Never a stack, never a library's words. */
export const errorBody = ({ message, code, param }: ApiError) => ({ error: message, code, ...(param !== undefined && { param }) });

/** RFC 9110 §11.6.1. The scheme is not a registered one: an API key has none. */
const KEY_IN_HEADER = 'ApiKey realm="Vedette", in="header", name="X-API-Key"';
/** RFC 6750 §3. */
const KEY_AS_TOKEN = 'Bearer realm="Vedette"';
const KEY_IN_QUERY = 'ApiKey realm="Vedette", in="query", name="key"';

/** Fastify's own refusals, in our words. */
const FASTIFY_ERRORS: Record<string, ApiErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'unknown_operation',
  FST_ERR_ASYNC_CONSTRAINT: 'bad_request',
  FST_ERR_MAX_PARAM_LENGTH: 'unknown_operation',
};

/** Turns anything thrown into an `ApiError`; what is not ours to show becomes `internal` with its cause kept for the log. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isFastifyError(thrown)) {
    const known = FASTIFY_ERRORS[thrown.code];
    if (known) return new ApiError(known);
    // A client that stops in the middle of its body, or declares it wrongly.
    if (thrown.statusCode === 400) return new ApiError('bad_request');
  }
  return new ApiError('internal', '', { cause: thrown });
}

const isFastifyError = (thrown: unknown): thrown is FastifyError => thrown instanceof Error && 'code' in thrown && 'statusCode' in thrown;

/** When the same request may do better, where the error itself does not say it. */
const RETRY_AFTER_S: Partial<Record<ApiErrorCode, number>> = { upstream_failed: 5, draining: 1 };

/** How long an unwanted body is read and discarded: closing earlier would reset the connection, and lose the answer. */
const DISCARD_MS = 1_000;

/**
 * The one error handler of the API. Afterwards, connections without a key are closed; clients that are refused all the time wait for it.
 */
export async function handleError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  refusals: Refusals,
): Promise<FastifyReply> {
  const error = toApiError(thrown);
  request.refusal = error;
  request.admitted?.release(); // waiting here delays no others
  if (error.code === 'internal') request.log.error({ request_id: request.id, err: error.cause }, error.message);
  const stranger = request.account === undefined;
  if (stranger) reply.header('connection', 'close');
  if ((stranger || error.code === 'body_too_large') && !isComplete(request.raw) && !request.waitsForContinue) await discardBody(request);
  if (!reply.raw.closed) await refusals.hold({ stranger, always: error.code === 'overloaded' });
  const retryAfterS = error.retryAfterS ?? RETRY_AFTER_S[error.code];
  if (retryAfterS !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterS))));
  const { keyInQuery, bearer, scraped } = request.routeOptions.config;
  if (error.status === 401) reply.header('www-authenticate', keyInQuery ? KEY_IN_QUERY : bearer ? KEY_AS_TOKEN : KEY_IN_HEADER);
  if (scraped) return sendAsText(error, reply);
  return reply
    .code(error.status)
    .header('content-type', JSON_TYPE)
    .send(JSON.stringify(errorBody(error)));
}

const REASON_MAX_CHARS = 200;

/** Tells the reason to Prometheus, which shows only the status line of an answer other than 200: the sentence stands there too (RFC 9112 §4). */
function sendAsText({ status, message }: ApiError, reply: FastifyReply): FastifyReply {
  reply.raw.statusMessage = message.replace(/[^\x20-\x7e]+/g, '?').slice(0, REASON_MAX_CHARS);
  return reply.code(status).headers({ 'content-type': TEXT_TYPE, 'cache-control': 'no-store' }).send(`${message}\n`);
}

/** A request that a test injects has no connection, and comes whole. */
const isComplete = ({ complete }: { complete?: boolean }): boolean => complete ?? true;

async function discardBody({ raw }: FastifyRequest): Promise<void> {
  const enough = AbortSignal.timeout(DISCARD_MS);
  raw.resume();
  await once(raw, 'close', { signal: enough }).catch(() => undefined);
}

const PARSER_ERRORS: Record<string, ApiErrorCode> = { HPE_HEADER_OVERFLOW: 'body_too_large', ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout' };

/** A handshake failed or never ended: an answer cannot be encrypted. */
const UNHEARD = /^(ECONNRESET|ERR_TLS_|ERR_SSL_)/;
/** How long a client may take to read why it is cut off; without closing its own side it would keep the connection. */
const FAREWELL_MS = 1_000;

/**
 * Answers bytes that are not HTTP, or that came too slowly, and closes the connection. Bytes after a whole request do not cancel its
 * answer, and nothing is written into an answer that has begun.
 */
export function handleClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  connection: Connection | undefined,
  headers: Readonly<Record<string, string>>,
): void {
  if (UNHEARD.test(error.code ?? '') || !socket.writable) {
    socket.destroy();
    return;
  }
  if (connection?.closing) return; // the rest of what came
  if (connection !== undefined && connection.underWay > 0) {
    const { request, response, underWay } = connection;
    const broken = request?.complete === false;
    if (!broken || underWay > 1) {
      connection.closing = true;
      return;
    }
    if (response?.headersSent) {
      socket.destroy();
      return;
    }
  }
  const answer = new ApiError(PARSER_ERRORS[error.code ?? ''] ?? 'bad_request');
  const body = JSON.stringify(errorBody(answer));
  const reason = answer.status === 408 ? 'Request Timeout' : answer.status === 413 ? 'Payload Too Large' : 'Bad Request';
  const further = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${answer.status} ${reason}\r\ncontent-type: ${JSON_TYPE}\r\nx-request-id: ${crypto.randomUUID()}\r\n${further.join('')}` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
}
