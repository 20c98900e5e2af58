import { ApiError, nearest } from '@vedette/contract';
import type { Operation } from '@vedette/operations/kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bulkPath } from '../bulk/schemas.ts';
import { MCP_PATH } from '../mcp/route.ts';
import { OPERATOR_PATHS } from '../operators/routes.ts';
import { CONSOLE_PATHS } from '../pages/console.ts';
import { DOCS_PATHS } from '../pages/docs.ts';
import { SIGN_IN_PATHS } from '../sign-in/routes.ts';
import { KEPT_ANSWER_PATH } from './kept-answer.ts';
import { v1Path } from './v1.ts';

interface Paths {
  operations: readonly Operation[];
  v1: boolean;
  docs: boolean;
}

/** Refuses what has no route: 405 with `Allow` for a path that takes another method, else 404, with the operation that was probably meant. */
export function otherPaths({ operations, v1, docs }: Paths): (request: FastifyRequest, reply: FastifyReply) => never {
  const names = operations.map(({ name }) => name);
  const methods = new Map([
    ...names.map((name): [string, string] => [`/v2/${name}`, 'POST']),
    ...operations.flatMap(({ name, bulk }): [string, string][] => (bulk === undefined ? [] : [[bulkPath(name), 'POST']])),
    ...(v1 ? names.map((name): [string, string] => [v1Path(name), 'GET']) : []),
    ...OPERATOR_PATHS,
    [MCP_PATH, 'POST'],
    ...(docs ? Object.values(SIGN_IN_PATHS).map((path): [string, string] => [path, path === SIGN_IN_PATHS.logout ? 'POST' : 'GET']) : []),
    ['/probe', 'GET'],
    ...['/v2/locations', KEPT_ANSWER_PATH, '/openapi.json', '/healthz', ...(docs ? [...CONSOLE_PATHS, ...DOCS_PATHS] : [])].map(
      (path): [string, string] => [path, 'GET, HEAD'],
    ),
  ]);
  return (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const allow = methods.get(path);
    if (allow !== undefined) {
      reply.header('allow', allow);
      throw new ApiError('method_not_allowed', `use ${allow}`);
    }
    throw new ApiError('unknown_operation', instead(path, names));
  };
}

const LISTED = 'GET /openapi.json lists them';

/** Nothing of the path itself is said again. */
function instead(path: string, names: readonly string[]): string {
  const segment = /^(?:\/v[12])?\/([\w-]{1,64})\b/.exec(path)?.[1] ?? '';
  const meant = nearest(segment, names);
  return meant === undefined ? LISTED : `did you mean /v2/${meant}? ${LISTED}`;
}
