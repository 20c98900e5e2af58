import { ApiError } from '@vedette/contract';
import type { Static, TObject, TString } from 'typebox';
import type { Admin } from './admin.ts';
import { AccountBody, AccountPatch, DenyBody, KeyBody, Param, PlanBody, PlanId, RotateBody } from './schemas.ts';

/** One call of the admin API. Whoever mounts it checks the admin token, the param and the body, and answers with the JSON of `handle`. */
export interface AdminRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with one `:param` at most, percent-encoded by the client. */
  path: string;
  param: TString;
  body?: TObject;
  handle(request: { param: string; body: unknown }): Promise<unknown>;
}

/** The admin API, without a framework. `operations`: what a key may be restricted to. */
export function adminRoutes(admin: Admin, operations: readonly string[]): AdminRoute[] {
  const route = (method: AdminRoute['method'], path: string, handle: (param: string) => Promise<unknown>): AdminRoute => ({
    method,
    path,
    param: Param,
    handle: ({ param }) => handle(param),
  });
  const bodied = <B extends TObject>(
    method: AdminRoute['method'],
    path: string,
    body: B,
    handle: (body: Static<B>, param: string) => Promise<unknown>,
    param: TString = Param,
  ): AdminRoute => ({ method, path, param, body, handle: (request) => handle(request.body as Static<B>, request.param) });

  async function createKey(key: KeyBody): Promise<unknown> {
    const unknown = (key.allowed_operations ?? []).filter((name) => !operations.includes(name));
    if (unknown.length > 0) {
      const names = unknown.map((name) => JSON.stringify(name)).join(', ');
      throw new ApiError('invalid_parameter', `allowed_operations: there is no ${names}; there are ${operations.join(', ')}`);
    }
    return await admin.createKey(key);
  }

  return [
    route('GET', '/admin/plans', admin.listPlans),
    bodied('PUT', '/admin/plans/:id', PlanBody, (plan, id) => admin.setPlan(id, plan), PlanId),
    route('GET', '/admin/accounts', admin.listAccounts),
    bodied('POST', '/admin/accounts', AccountBody, admin.createAccount),
    bodied('PATCH', '/admin/accounts/:id', AccountPatch, (patch, id) => admin.setAccount(id, patch)),
    route('GET', '/admin/keys', admin.listKeys),
    bodied('POST', '/admin/keys', KeyBody, createKey),
    bodied('POST', '/admin/keys/:id/rotate', RotateBody, (options, id) => admin.rotateKey(id, options)),
    route('DELETE', '/admin/keys/:id', admin.revokeKey),
    route('GET', '/admin/lockouts', admin.listLockouts),
    route('DELETE', '/admin/lockouts/:address', admin.clearLockout),
    route('GET', '/admin/deny', admin.listDenied),
    bodied('POST', '/admin/deny', DenyBody, admin.deny),
    route('DELETE', '/admin/deny/:target', admin.allow),
  ];
}
