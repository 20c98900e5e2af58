import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@vedette/contract';
import type { AdminRoute, Operator } from '@vedette/ledger';
import type { Log } from '@vedette/process/log';
import { sendJson } from '@vedette/process/ops';
import type { TString } from 'typebox';
import { Compile } from 'typebox/schema';
import type { createAdminGuard } from './admin-guard.ts';
import { peerAddress } from '../door/client-address.ts';
import { errorBody, toApiError } from '../door/error-handler.ts';
import { parseBody } from '../http/strict-json.ts';
import { parameterCheck, shownName } from '../request/validate.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
const NO_FILE = new Uint8Array();

export interface AdminDeps {
  routes: readonly AdminRoute[];
  /** Throws `ApiError` for those without the admin token. */
  guard: ReturnType<typeof createAdminGuard>;
  log: Log;
}

type Check = (input: Record<string, unknown>) => Record<string, unknown>;

interface MountedRoute extends AdminRoute {
  pattern: RegExp;
  checkParam(param: string): boolean;
  checkBody: Check | undefined;
  checkQuery: Check | undefined;
}

/** Mounts the admin API on the operators' listener. Every call needs `Authorization: Bearer <admin token>`. */
export function createAdminHandler({
  routes,
  guard,
  log,
}: AdminDeps): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const mounted: MountedRoute[] = routes.map((route) => ({
    ...route,
    pattern: new RegExp(`^${route.path.replace(/:\w+/, '([^/]+)')}$`),
    checkParam: matcher(route.param),
    checkBody: route.body && parameterCheck(route.body),
    checkQuery: route.query && parameterCheck(route.query),
  }));

  return async (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    if (path !== '/admin' && !path.startsWith('/admin/')) return false;
    try {
      guard(request.headers.authorization, request.socket.remoteAddress ?? '');
      const here = mounted.filter(({ pattern }) => pattern.test(path));
      if (here.length === 0) throw new ApiError('unknown_operation');
      const route = here.find(({ method }) => method === request.method);
      if (!route) {
        response.setHeader('allow', here.map(({ method }) => method).join(', '));
        throw new ApiError('method_not_allowed');
      }
      const param = decode(route.pattern.exec(path)?.[1] ?? '');
      if (!route.checkParam(param)) throw new ApiError('invalid_parameter', 'the path is invalid');
      const input =
        route.checkQuery?.(queryOf(query)) ?? route.checkBody?.(parseBody(await read(request, route.bodyBytes ?? BODY_LIMIT_BYTES)));
      const file = route.fileBytes ? await read(request, route.fileBytes(param)) : NO_FILE;
      const result = await route.handle({ param, input, file, by: operatorOf(request) });
      sendJson(response, 200, result ?? {});
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.status >= 500)
        log.error({ request_id: response.getHeader('x-request-id'), code: error.code, err: error.cause }, error.message);
      if (error.retryAfterS !== undefined) response.setHeader('retry-after', String(Math.ceil(error.retryAfterS)));
      sendJson(response, error.status, errorBody(error));
    }
    return true;
  };
}

const OPERATOR_NAME = /^[\w.@-]{1,64}$/;

/** The actor: the bearer of the one admin token, by the name in X-Operator, if it is sent. */
function operatorOf({ headers, socket }: IncomingMessage): Operator {
  const name = headers['x-operator'];
  const actor = typeof name === 'string' && OPERATOR_NAME.test(name) ? `admin (${name})` : 'admin';
  return { actor, address: peerAddress(socket.remoteAddress ?? '') };
}

/** A query's parameters. Throws `ApiError` for one that is given twice. */
function queryOf(query: string): Record<string, string> {
  const parameters = new URLSearchParams(query);
  const repeated = [...parameters.keys()].find((name) => parameters.getAll(name).length > 1);
  if (repeated !== undefined) throw new ApiError('invalid_parameter', `${shownName(repeated)} was sent twice`, { param: repeated });
  return Object.fromEntries(parameters);
}

const matcher = (schema: TString) => {
  const compiled = Compile(schema);
  return (text: string): boolean => compiled.Check(text);
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError('invalid_parameter', 'the path is invalid');
  }
};

/** Reads a body. Throws `ApiError` body_too_large, and bad_request where it breaks off: that is the client's, and no failure of ours. */
async function read(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const body: AsyncIterable<Buffer> = request;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) throw new ApiError('body_too_large');
      chunks.push(chunk);
    }
  } catch (cause) {
    throw cause instanceof ApiError ? cause : new ApiError('bad_request', '', { cause });
  }
  return Buffer.concat(chunks);
}
