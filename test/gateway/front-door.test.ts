import { ApiError } from '@vedette/contract';
import { expect, it } from 'vitest';
import { type Admitted, createFrontDoor, type Destination, type FrontDoor } from '../../packages/gateway/src/door/front-door.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { Overload } from '../../packages/gateway/src/door/overload.ts';
import { partsOf } from './parts.ts';
import { accountOf } from '../ledger/account.ts';

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
  return (key: string): Promise<Admitted> => {
    const raw = { headers: { 'x-api-key': key }, rawHeaders: ['X-API-Key', key], socket: { remoteAddress: '192.0.2.7' } };
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
  };
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
