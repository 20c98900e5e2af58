import { ApiError } from '@vedette/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import inject, { type DispatchFunc } from 'light-my-request';
import { keyInHeaders } from '../door/front-door.ts';

/** Longer reports, which only pictures and PDFs make, are for the API itself. */
const MAX_REPORT_BYTES = 16 * 1024 * 1024;

/** The status, the quota header and the body of an answer of the API. */
export interface ApiAnswer {
  status: number;
  quota: string;
  retryAfter: string | undefined;
  /** Undefined if it is too long. */
  body: Buffer | undefined;
}

/** Asks an operation by a request to ourselves, with the client's key, address and Idempotency-Key. */
export type Ask = (operation: string, payload: string) => Promise<ApiAnswer>;

/** The questions of one request of a client. They end with `signal`, by an `ApiError` client_gone. */
export function asks(app: FastifyInstance, { headers, admitted }: FastifyRequest, signal: AbortSignal): Ask {
  const { address, visit } = admitted!;
  const key = String(keyInHeaders(headers, true));
  const again = headers['idempotency-key'];
  return async (operation, payload) => {
    if (signal.aborted) throw new ApiError('client_gone');
    const dispatch: DispatchFunc = (request, response) => {
      // It closes before its socket has taken what was written.
      Object.defineProperty(response, 'writableFinished', { get: () => response.writableEnded });
      signal.addEventListener('abort', () => response.destroy(), { once: true });
      app.routing(request, response);
    };
    visit.away(); // the question has a visit of its own
    try {
      const {
        statusCode,
        headers: answered,
        ...answer
      } = await inject(dispatch, {
        method: 'POST',
        url: `/v2/${operation}`,
        remoteAddress: address,
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...(again !== undefined && { 'idempotency-key': again }) },
        payload,
        payloadAsStream: true,
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const part of answer.stream()) {
        const chunk = Buffer.from(part);
        bytes += chunk.length;
        if (bytes > MAX_REPORT_BYTES) break;
        chunks.push(chunk);
      }
      return {
        status: statusCode,
        quota: String(answered['x-service-quota']),
        retryAfter: answered['retry-after']?.toString(),
        body: bytes > MAX_REPORT_BYTES ? undefined : Buffer.concat(chunks),
      };
    } catch (cause) {
      throw signal.aborted ? new ApiError('client_gone') : cause;
    } finally {
      visit.back();
    }
  };
}
