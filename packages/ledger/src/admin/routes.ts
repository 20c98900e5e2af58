import { ApiError } from '@vedette/contract';
import type { Static, TObject, TString } from 'typebox';
import type { Operator } from '../audit/acts.ts';
import type { Admin } from './admin.ts';
import {
  AccountBody,
  AccountPatch,
  ActsQuery,
  DenyBody,
  KeyBody,
  LocationBody,
  MeasurementsQuery,
  NoBody,
  Param,
  PlanBody,
  PlanId,
  RotateBody,
  SuspendBody,
} from './schemas.ts';

/** A call as it is handed over, checked. */
interface AdminRequest {
  param: string;
  /** The body, or the query parameters, by the route's schema. */
  input: unknown;
  /** The body of a route that takes a file; empty for others. */
  file: Uint8Array;
  by: Operator;
}

/** One call of the admin API. The caller that mounts it checks the admin token, the param and the input, and answers with the JSON of `handle`. */
export interface AdminRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with one `:param` at most, percent-encoded by the client. */
  path: string;
  param: TString;
  body?: TObject;
  /** How large a body may be, where 64 KiB are too few. */
  bodyBytes?: number;
  query?: TObject;
  /** The body is a file as it is, of so many bytes at the most. Throws `ApiError` for a param that takes no file. */
  fileBytes?: (param: string) => number;
  handle(request: AdminRequest): Promise<unknown>;
}

/** The admin API, without a framework. `operations`: what a key may be restricted to. */
export function adminRoutes(admin: Admin, operations: readonly string[]): AdminRoute[] {
  const get = (path: string, handle: () => Promise<unknown>): AdminRoute => ({ method: 'GET', path, param: Param, handle });
  const search = <Q extends TObject>(path: string, query: Q, handle: (query: Static<Q>) => Promise<unknown>): AdminRoute => ({
    method: 'GET',
    path,
    param: Param,
    query,
    handle: ({ input }) => handle(input as Static<Q>),
  });
  const remove = (path: string, handle: (by: Operator, param: string) => Promise<unknown>): AdminRoute => ({
    method: 'DELETE',
    path,
    param: Param,
    handle: ({ by, param }) => handle(by, param),
  });
  const bodied = <B extends TObject>(
    method: AdminRoute['method'],
    path: string,
    body: B,
    handle: (by: Operator, body: Static<B>, param: string) => Promise<unknown>,
    param: TString = Param,
  ): AdminRoute => ({ method, path, param, body, handle: (request) => handle(request.by, request.input as Static<B>, request.param) });

  async function createKey(by: Operator, key: KeyBody): Promise<unknown> {
    assertKnown(key.allowed_operations ?? [], operations);
    return await admin.createKey(by, key);
  }

  return [
    get('/admin/plans', admin.listPlans),
    bodied('PUT', '/admin/plans/:id', PlanBody, (by, plan, id) => admin.setPlan(by, id, plan), PlanId),
    get('/admin/accounts', admin.listAccounts),
    bodied('POST', '/admin/accounts', AccountBody, admin.createAccount),
    bodied('PATCH', '/admin/accounts/:id', AccountPatch, (by, patch, id) => admin.setAccount(by, id, patch)),
    bodied('POST', '/admin/accounts/:id/suspend', SuspendBody, (by, options, id) => admin.suspendAccount(by, id, options)),
    bodied('POST', '/admin/accounts/:id/resume', NoBody, (by, _nothing, id) => admin.resumeAccount(by, id)),
    get('/admin/keys', () => admin.listKeys()),
    bodied('POST', '/admin/keys', KeyBody, createKey),
    bodied('POST', '/admin/keys/:id/rotate', RotateBody, (by, options, id) => admin.rotateKey(by, id, options)),
    remove('/admin/keys/:id', admin.revokeKey),
    get('/admin/lockouts', admin.listLockouts),
    remove('/admin/lockouts/:address', admin.clearLockout),
    get('/admin/deny', admin.listDenied),
    bodied('POST', '/admin/deny', DenyBody, admin.deny),
    remove('/admin/deny/:target', admin.allow),
    get('/admin/locations', admin.listLocations),
    bodied('POST', '/admin/locations', LocationBody, admin.addLocation),
    remove('/admin/locations/:id', admin.removeLocation),
    search('/admin/audit', ActsQuery, ({ limit, ...filter }) => admin.listActs({ ...filter, ...numbered(limit) })),
    search('/admin/measurements', MeasurementsQuery, ({ limit, subdomains, ...filter }) =>
      admin.listMeasurements({ ...filter, subdomains: subdomains === 'true', ...numbered(limit) }),
    ),
  ];
}

/** Throws `ApiError` invalid_parameter for a name that no operation or permission has. */
export function assertKnown(wanted: readonly string[], known: readonly string[]): void {
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const names = unknown.map((name) => JSON.stringify(name)).join(', ');
  throw new ApiError('invalid_parameter', `allowed_operations: there is no ${names}; there are ${known.join(', ')}`);
}

const numbered = (limit: string | undefined): { limit?: number } => (limit === undefined ? {} : { limit: Number(limit) });
