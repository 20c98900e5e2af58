import { ApiError } from '@vedette/contract';
import { expect, it } from 'vitest';
import { type Admitted, createFrontDoor, type Destination, type FrontDoor } from '../../packages/gateway/src/door/front-door.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { Overload, STRANGERS } from '../../packages/gateway/src/door/overload.ts';
import { sessionSigner } from '../../packages/gateway/src/door/session-cookie.ts';
import { partsOf } from './parts.ts';
import { accountOf } from '../ledger/account.ts';
import type { Ledger } from '@vedette/ledger';

type Role = Destination['role'];

const IN_FLIGHT = 512;

/** A door to a ledger that knows every key, all of one account. */
function openDoor({ role = 'analyst', allowedOperations = null }: { role?: Role; allowedOperations?: string[] | null } = {}) {
  const authenticate = async (keyId: string) => ({ ...accountOf('acme', keyId, 'Acme'), allowedOperations });
  const metrics = createMetrics();
  const clock = { now: () => 0, sleep: async () => {} };
  const door = createFrontDoor(
    partsOf({
      ledger: { authenticate, recall: () => undefined, blockedFor: () => 0 },
      metrics,
      clock,
    }),
    new Overload({ clock, metrics, limited: false }),
  );
  return (key: string): Promise<Admitted> => enter(door, { 'x-api-key': key }, role);
}

function enter(door: FrontDoor, headers: Record<string, string>, role: Role): Promise<Admitted> {
  const raw = { method: 'GET', headers, rawHeaders: Object.entries(headers).flat(), socket: { remoteAddress: '192.0.2.7' } };
  const [request, reply] = [{ raw }, {}] as unknown as Parameters<FrontDoor>;
  return door(request, reply, {
    operation: undefined,
    permission: undefined,
    role,
    limit: undefined,
    json: false,
    keyInQuery: false,
    bodyLimit: 65_536,
    bearer: false,
    people: true,
  });
}

it('lets one key have 512 requests under way, and its account’s other keys theirs', async () => {
  const enter = openDoor();
  const admitted = await Promise.all(Array.from({ length: IN_FLIGHT }, () => enter('wild')));
  const refused = await enter('wild').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ code: 'rate_limited', retryAfterS: 1 });
  await expect(enter('tame')).resolves.toMatchObject({ account: { keyId: 'tame' } });
  admitted[0]!.release();
  await expect(enter('wild')).resolves.toMatchObject({ account: { keyId: 'wild' } });
});

const ALL: Role[] = ['viewer', 'analyst', 'operator'];

it.each<[string, string, string[] | null, Role[]]>([
  ['the bootstrap key', 'bootstrap', null, ALL],
  ['a key that may use all operations', 'k', null, ['viewer', 'analyst']],
  ['a key that names the permission', 'k', ['ping-test', 'operator'], ALL],
  ['a key that names others', 'k', ['ping-test'], ['viewer', 'analyst']],
])('%s has one role, and those below', async (_name, key, allowedOperations, roles) => {
  const entering = ALL.map((role) => openDoor({ role, allowedOperations })(key));
  const codes = (await Promise.allSettled(entering)).map((entered) =>
    entered.status === 'rejected' ? (entered.reason as ApiError).code : '',
  );
  expect(codes).toEqual(ALL.map((role) => (roles.includes(role) ? '' : 'role_not_allowed')));
});

it('a person finds room while strangers take all of theirs, and a made-up session does not', async () => {
  const origin = 'https://vedette.test';
  const issuer = new URL('https://sso.test');
  const signIn = { issuer, server: { host: 'sso.test', port: 443 }, clientId: 'vedette', secret: 'secret', roles: [], origin };
  const person = { subject: 'anna', name: 'Anna', role: 'viewer' as const };
  const metrics = createMetrics();
  const clock = { now: () => 0, sleep: async () => {} };
  const overload = new Overload({ clock, metrics, limited: true });
  const ledger = {
    recall: () => undefined,
    blockedFor: () => 0,
    sessions: { find: async () => ({ ...accountOf('bootstrap', 'person:anna', 'Acme'), person }) } as unknown as Ledger['sessions'],
  };
  const door = createFrontDoor(partsOf({ ledger, metrics, clock, signIn }), overload);
  while (overload.enter(STRANGERS));
  const come = (cookie: string) => enter(door, { cookie: `__Host-vedette-session=${cookie}` }, 'viewer');
  await expect(come(sessionSigner('secret').sign('id'))).resolves.toMatchObject({ account: { person } });
  await expect(come(sessionSigner('other').sign('id'))).rejects.toMatchObject({ code: 'session_ended' });
  overload.close();
});
