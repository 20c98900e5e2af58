import { ApiError } from '@vedette/contract';
import type { Report } from '@vedette/operations/kit';
import type { Ledger } from '@vedette/ledger';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { setQuota } from '../door/answer-headers.ts';
import { hasFiles, printFiles } from './file-answer.ts';
import { clientOf, noted, sendBody, whenGone } from './operation-route.ts';
import type { Callable } from '../request/service.ts';
import { shownName } from '../request/validate.ts';

/** RFC 9745: since when v1 is deprecated (2025-11-01); RFC 8594: from when it may be gone (contract §9). */
const DEPRECATED = '@1761955200';
const SUNSET = 'Sun, 01 Nov 2026 00:00:00 GMT';

/** Says on every answer, refusals too, that the path is going away and where to go instead; and that none of it, paid for, is for a cache. */
export const deprecate = (reply: FastifyReply, operation: string): void =>
  void reply.headers({
    deprecation: DEPRECATED,
    sunset: SUNSET,
    link: `</v2/${operation}>; rel="successor-version"`,
    'cache-control': 'no-store',
  });

export const v1Path = (operation: string): string => `/v1/${operation}/v1/pay-as-you-go/`;

/**
 * The deprecated first version: `GET /v1/<operation>/v1/pay-as-you-go/?key=…&host=…`, the same operations, the report
 * wrapped as `data.report`. Parameters come as text and take the type that the operation declares.
 */
export function registerV1(
  app: FastifyInstance,
  { operation, request: schema, reportSchema, prepare, call }: Callable,
  ledger: Ledger,
): void {
  const withFiles = hasFiles(reportSchema);
  const options = { config: { operation, keyInQuery: true } };
  app.get<{ Querystring: Record<string, string | string[]> }>(v1Path(operation.name), options, async (request, reply) => {
    const { account, visit } = request.admitted!;
    visit.begin();
    const { key: _, ...query } = request.query;
    const prepared = prepare(
      Object.fromEntries(Object.entries(query).map(([name, text]) => [name, typed(name, text, schema.properties[name])])),
    );
    const serialize = (inner: Report) => `{"data":{"report":${reply.serializeInput(inner, reportSchema)}}}`;
    const print = (report: Report) => (withFiles ? printFiles(report, serialize) : serialize(report));
    const answer = await call({
      account,
      client: clientOf(request),
      visit,
      prepared,
      idempotency: undefined,
      whenGone: whenGone(request, reply),
      print,
    });
    const { body, cost } = noted(request, reply, answer);
    visit.answered();
    setQuota(reply, ledger, account, cost);
    return sendBody(reply, body);
  });
}

function typed(name: string, text: string | string[], schema: TSchema | undefined): unknown {
  if (typeof text !== 'string') throw new ApiError('invalid_parameter', `${shownName(name)} was sent twice`, { param: name });
  const { type } = (schema ?? {}) as { type?: string };
  if (type === 'boolean') return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
  if (type === 'integer' || type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
  return type === 'array' ? text.split(',') : text;
}
