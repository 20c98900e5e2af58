import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@vedette/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import inject, { type DispatchFunc } from 'light-my-request';
import { keyInHeaders } from '../door/front-door.ts';
import { parseBody } from '../http/strict-json.ts';
import { NO_BODY } from '../http/operation-route.ts';
import { madeOnce } from '../pages/static-file.ts';
import type { Parts } from '../request/parts.ts';
import type { Callable } from '../request/service.ts';
import { CreditLimit, CREDITS_HEADER, creditLimitIn } from './credit-limit.ts';
import { KeptReports } from './kept-reports.ts';
import { type ApiAnswer, serverFor } from './server.ts';
import { selectTools, toolOf, TOOLS_HEADER } from './tools.ts';

export const MCP_PATH = '/mcp';

/** Headers that the library reads. */
const READ = /^(?:accept|content-type|mcp-.*)$/;

/** `POST /mcp`: the operations as tools for language models (Model Context Protocol, streamable HTTP), without sessions. */
export function registerMcp(app: FastifyInstance, callables: readonly Callable[], { clock, config: { corsOrigins } }: Parts): void {
  const tools = new Map(callables.map((callable) => [callable.operation.name, toolOf(callable)]));
  const kept = new KeptReports(clock);
  const limit = new CreditLimit(clock);
  // It takes a tenth of a second, and memory that most gateways never need.
  const library = madeOnce(() => import('@modelcontextprotocol/server'));

  app.post(MCP_PATH, { config: { bearer: true } }, async (request, reply) => {
    const { headers } = request;
    // A page of another site that reaches us by a name of its own (DNS rebinding) says where it is from.
    if (headers.origin !== undefined && !corsOrigins.includes(headers.origin))
      throw new ApiError('source_not_allowed', 'pages of this Origin may not call the API');
    const { account, visit } = request.admitted!;
    visit.begin();
    const message = parseBody(request.bodyBytes ?? NO_BODY);
    const tellDefect = (err: unknown) => request.log.error({ request_id: request.id, err }, 'a tool failed');
    const session = {
      keyId: account.keyId,
      tools: selectTools(tools, headers[TOOLS_HEADER]?.toString()),
      maxCredits: creditLimitIn(headers[CREDITS_HEADER]?.toString()),
      limit,
      kept,
      ask: asks(app, request, reply),
      tellDefect,
    };
    const mcp = await library();
    // Nothing changes that a client could be told of: no subscriptions.
    const handler = mcp.createMcpHandler(() => serverFor(session, mcp), { maxSubscriptions: 0, onerror: tellDefect });
    visit.away(); // the calls of tools are requests with visits of their own
    const answer = await handler.fetch(requestOf(headers), { parsedBody: message });
    const text = await answer.text();
    visit.answered();
    return reply.code(answer.status).headers(Object.fromEntries(answer.headers)).header('cache-control', 'no-store').send(text);
  });
}

/** The request as the library takes it; the body is handed over parsed. */
const requestOf = (headers: IncomingHttpHeaders): Request =>
  new Request(`http://localhost${MCP_PATH}`, {
    method: 'POST',
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] => (READ.test(name) ? [[name, String(value)]] : [])),
  });

/** Asks operations by requests to ourselves, with the client's key and address, which end when the client leaves. */
function asks(app: FastifyInstance, { headers, admitted }: FastifyRequest, reply: FastifyReply) {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  const key = String(keyInHeaders(headers, true));
  return async (operation: string, payload: string): Promise<ApiAnswer> => {
    const dispatch: DispatchFunc = (request, response) => {
      // It closes before its socket has taken what was written.
      Object.defineProperty(response, 'writableFinished', { get: () => response.writableEnded });
      left.signal.addEventListener('abort', () => response.destroy(), { once: true });
      app.routing(request, response);
    };
    const {
      statusCode,
      headers: answered,
      body,
    } = await inject(dispatch, {
      method: 'POST',
      url: `/v2/${operation}`,
      remoteAddress: admitted!.address,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      payload,
    });
    return { status: statusCode, quota: String(answered['x-service-quota']), retryAfter: answered['retry-after']?.toString(), body };
  };
}
