import { pipeline, Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@vedette/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { JSON_TYPE } from '../door/answer-headers.ts';
import { parseBody } from '../http/strict-json.ts';
import { NO_BODY } from '../http/operation-route.ts';
import { inSlices, PIECE_BYTES } from '../http/pieces.ts';
import { madeOnce } from '../pages/static-file.ts';
import type { Parts } from '../request/parts.ts';
import type { Callable } from '../request/service.ts';
import { asks } from './ask.ts';
import { Cancellations } from './cancellations.ts';
import { CreditLimit, CREDITS_HEADER, creditLimitIn } from './credit-limit.ts';
import { KeptReports } from './kept-reports.ts';
import { serverFor } from './server.ts';
import { selectTools, toolOf, TOOLS_HEADER } from './tools.ts';

export const MCP_PATH = '/mcp';

/** Headers that the library reads. */
const READ = /^(?:accept|content-type|mcp-.*)$/;

/** `POST /mcp`: the operations as tools for language models (Model Context Protocol, streamable HTTP), without sessions. */
export function registerMcp(app: FastifyInstance, callables: readonly Callable[], { clock, config: { corsOrigins } }: Parts): void {
  const tools = new Map(callables.map((callable) => [callable.operation.name, toolOf(callable)]));
  const kept = new KeptReports(clock);
  const limit = new CreditLimit(clock);
  const cancellations = new Cancellations();
  // It takes a tenth of a second, and memory that most gateways never need.
  const library = madeOnce(() => import('@modelcontextprotocol/server'));

  app.post(MCP_PATH, { config: { bearer: true } }, async (request, reply) => {
    const { headers } = request;
    // A page of another site that reaches us by a name of its own (DNS rebinding) says where it is from.
    if (headers.origin !== undefined && !corsOrigins.includes(headers.origin))
      throw new ApiError('source_not_allowed', 'pages of this Origin may not call the API');
    const { account, address, visit } = request.admitted!;
    visit.begin();
    const message = parseBody(request.bodyBytes ?? NO_BODY);
    const { method, id, params } = message;
    const client = `${account.keyId} ${address}`;
    if (method === 'notifications/cancelled' && typeof params === 'object' && params !== null && 'requestId' in params)
      cancellations.cancel(client, params.requestId);
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    if (method === 'tools/call') reply.raw.once('close', cancellations.add(client, id, left));
    const tellDefect = (err: unknown) => request.log.error({ request_id: request.id, err }, 'a tool failed');
    const session = {
      account,
      tools: selectTools(tools, headers[TOOLS_HEADER]?.toString()),
      maxCredits: creditLimitIn(headers[CREDITS_HEADER]?.toString()),
      limit,
      kept,
      clock,
      ask: asks(app, request, left.signal),
      tellDefect,
    };
    const mcp = await library();
    let told: unknown;
    // Nothing changes that a client could be told of: no subscriptions.
    const handler = mcp.createMcpHandler(() => serverFor(session, mcp), { maxSubscriptions: 0, onerror: (error) => (told = error) });
    const answer = await handler.fetch(requestOf(headers), { parsedBody: message });
    // The library tells clients' mistakes by the same way.
    if (answer.status >= 500) tellDefect(told);
    reply.code(answer.status).headers(Object.fromEntries(answer.headers)).header('cache-control', 'no-store');
    const isStream = answer.headers.get('content-type') === 'text/event-stream';
    if (isStream && answer.body !== null && wantsProgress(params)) {
      reply.raw.once('finish', () => visit.answered());
      return sendEvents(reply, answer.body);
    }
    const text = await answer.text();
    visit.answered();
    if (!isStream) return reply.send(text);
    // A client that waits for a stream notices at its timeout alone that the gateway has died.
    return reply.header('content-type', JSON_TYPE).send(/^data: (.*)$/m.exec(text)?.[1] ?? '');
  });
}

/** Whether the client is to be told how a call goes on. */
function wantsProgress(params: unknown): boolean {
  if (typeof params !== 'object' || params === null || !('_meta' in params)) return false;
  const { _meta: meta } = params;
  return typeof meta === 'object' && meta !== null && 'progressToken' in meta;
}

/** The request as the library takes it; the body is handed over parsed. */
const requestOf = (headers: IncomingHttpHeaders): Request =>
  new Request(`http://localhost${MCP_PATH}`, {
    method: 'POST',
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] => (READ.test(name) ? [[name, String(value)]] : [])),
  });

/** Sends an event stream, which has progress before its result. */
function sendEvents(reply: FastifyReply, body: ReadableStream<Uint8Array>): FastifyReply {
  reply.hijack();
  const { raw, statusCode } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(statusCode).flushHeaders();
  pipeline(Readable.from(piecesOf(body)), raw, () => undefined); // its client may leave
  return reply;
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of body) yield* inSlices(Buffer.from(buffer, byteOffset, byteLength), PIECE_BYTES);
}
