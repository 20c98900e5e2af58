import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@vedette/contract';
import { type Admin, type AdminRoute, adminRoutes } from '@vedette/ledger';
import type { Log } from '@vedette/process/log';
import { sendJson } from '@vedette/process/ops';
import type { TString } from 'typebox';
import { Compile } from 'typebox/schema';
import type { createAdminGuard } from './admin-guard.ts';
import { errorBody, toApiError } from './error-handler.ts';
import { parseBody } from './strict-json.ts';
import { parameterCheck } from './validate.ts';

const BODY_LIMIT_BYTES = 64 * 1024;

export interface AdminDeps {
  admin: Admin;
  /** Throws `ApiError` for those without the admin token. */
  guard: ReturnType<typeof createAdminGuard>;
  /** What a key may be restricted to. */
  operations: readonly string[];
  log: Log;
}

interface MountedRoute extends AdminRoute {
  pattern: RegExp;
  checkParam(param: string): boolean;
  check: ((body: Record<string, unknown>) => Record<string, unknown>) | undefined;
}

/** Mounts the admin API on the operators' listener. Every call needs `Authorization: Bearer <admin token>`. */
export function createAdminHandler({
  admin,
  guard,
  operations,
  log,
}: AdminDeps): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const routes: MountedRoute[] = adminRoutes(admin, operations).map((route) => ({
    ...route,
    pattern: new RegExp(`^${route.path.replace(/:\w+/, '([^/]+)')}$`),
    checkParam: matcher(route.param),
    check: route.body && parameterCheck(route.body),
  }));

  return async (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0]!;
    if (path !== '/admin' && !path.startsWith('/admin/')) return false;
    try {
      guard(request.headers.authorization, request.socket.remoteAddress ?? '');
      const here = routes.filter(({ pattern }) => pattern.test(path));
      if (here.length === 0) throw new ApiError('unknown_operation');
      const route = here.find(({ method }) => method === request.method);
      if (!route) {
        response.setHeader('allow', here.map(({ method }) => method).join(', '));
        throw new ApiError('method_not_allowed');
      }
      const param = decode(route.pattern.exec(path)?.[1] ?? '');
      if (!route.checkParam(param)) throw new ApiError('invalid_parameter', 'the path');
      const body = route.check?.(parseBody(await read(request)));
      const result = await route.handle({ param, body });
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

const matcher = (schema: TString) => {
  const compiled = Compile(schema);
  return (text: string): boolean => compiled.Check(text);
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError('invalid_parameter', 'the path');
  }
};

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const body: AsyncIterable<Buffer> = request;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) throw new ApiError('body_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
