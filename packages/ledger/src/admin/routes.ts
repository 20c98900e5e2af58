import type { Static, TObject } from 'typebox';
import type { Admin } from './admin.ts';
import { AccountBody, AccountPatch, DenyBody, KeyBody, PlanBody, RotateBody } from './schemas.ts';

/** One call of the admin API. Whoever mounts it checks the admin token and the body, and answers with the JSON of `handle`. */
export interface AdminRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With one `:param` at most, percent-encoded by the client. */
  path: string;
  body?: TObject;
  handle(request: { param: string; body: unknown }): Promise<unknown>;
}

/** The admin API, without a framework. */
export function adminRoutes(admin: Admin): AdminRoute[] {
  const route = (method: AdminRoute['method'], path: string, handle: (param: string) => Promise<unknown>): AdminRoute => ({
    method,
    path,
    handle: ({ param }) => handle(param),
  });
  const bodied = <B extends TObject>(
    method: AdminRoute['method'],
    path: string,
    body: B,
    handle: (body: Static<B>, param: string) => Promise<unknown>,
  ): AdminRoute => ({ method, path, body, handle: (request) => handle(request.body as Static<B>, request.param) });

  return [
    route('GET', '/admin/plans', admin.listPlans),
    bodied('PUT', '/admin/plans/:id', PlanBody, (plan, id) => admin.setPlan(id, plan)),
    route('GET', '/admin/accounts', admin.listAccounts),
    bodied('POST', '/admin/accounts', AccountBody, admin.createAccount),
    bodied('PATCH', '/admin/accounts/:id', AccountPatch, (patch, id) => admin.setAccount(id, patch)),
    route('GET', '/admin/keys', admin.listKeys),
    bodied('POST', '/admin/keys', KeyBody, admin.createKey),
    bodied('POST', '/admin/keys/:id/rotate', RotateBody, (options, id) => admin.rotateKey(id, options)),
    route('DELETE', '/admin/keys/:id', admin.revokeKey),
    route('GET', '/admin/lockouts', admin.listLockouts),
    route('DELETE', '/admin/lockouts/:address', admin.clearLockout),
    route('GET', '/admin/deny', admin.listDenied),
    bodied('POST', '/admin/deny', DenyBody, admin.deny),
    route('DELETE', '/admin/deny/:target', admin.allow),
  ];
}
