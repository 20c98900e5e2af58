import { ApiError } from '@vedette/contract';
import { assertAllowed, assertKnown, type NewKey, type Operator } from '@vedette/ledger';
import type { Static } from 'typebox';
import type { Admitted } from '../door/front-door.ts';
import { isOperator, OPERATOR } from '../door/role.ts';
import { LOCATIONS } from '../locations/list-locations.ts';
import { PROBE } from '../probe/route.ts';
import type { Parts } from '../request/parts.ts';
import { type CreateBody, DEFAULT_DAYS, type KeysQuery, type RevokeBody, type RotateKeyBody, type UsageQuery } from './key-schema.ts';

/** Permissions of a key that may read its account's keys, or usage. */
export const KEYS = 'keys';
export const USAGE = 'usage';

/** Restrictions that a key may have. The permission `operator` is not among them: only the command gives it. */
export const permissionsOf = (operations: readonly { name: string }[]): string[] => [
  ...operations.map(({ name }) => name),
  LOCATIONS,
  PROBE,
  KEYS,
  USAGE,
];

const MOST = 1_000;

/** Keys and usage, for the holder of a key: of its own account; for an operator of all. */
export function keyDesk({ ledger }: Parts, permissions: readonly string[]) {
  return {
    async list(client: Admitted, { account }: Static<typeof KeysQuery>): Promise<object> {
      const mayChange = isOperator(client);
      const of = accountFor(client, KEYS, account);
      const [keys, accounts] = await Promise.all([
        ledger.admin.listKeys({ account: of, limit: MOST }),
        mayChange ? ledger.admin.listAccounts() : [client.account],
      ]);
      return { keys, accounts: accounts.slice(0, MOST).map(({ id, name }) => ({ id, name })), permissions, may_change: mayChange };
    },
    usage(client: Admitted, { account, key, days }: Static<typeof UsageQuery>): Promise<object> {
      return ledger.admin.usageByKey({
        account: accountFor(client, USAGE, account),
        key,
        days: days === undefined ? DEFAULT_DAYS : Number(days),
      });
    },
    create(client: Admitted, body: Static<typeof CreateBody>): Promise<NewKey> {
      if (body.allowed_operations?.includes(OPERATOR)) throw ofTheMachine('created');
      assertKnown(body.allowed_operations ?? [], permissions);
      return ledger.admin.createKey(operatorOf(client), body);
    },
    async rotate(client: Admitted, { id, ...options }: Static<typeof RotateKeyBody>): Promise<NewKey> {
      const [key] = await ledger.admin.listKeys({ id });
      if (key?.allowed_operations?.includes(OPERATOR)) throw ofTheMachine('rotated');
      return await ledger.admin.rotateKey(operatorOf(client), id, options);
    },
    revoke: (client: Admitted, { id }: Static<typeof RevokeBody>): Promise<object> => ledger.admin.revokeKey(operatorOf(client), id),
  };
}

/** The account whose keys or usage the client may see; undefined: all. Throws `ApiError` operation_not_allowed or role_not_allowed. */
function accountFor(client: Admitted, permission: string, wanted: string | undefined): string | undefined {
  const { account, address } = client;
  if (isOperator(client)) return wanted;
  assertAllowed(account, permission, address);
  if (wanted !== undefined && wanted !== account.id) throw new ApiError('role_not_allowed', 'it needs the role operator');
  return account.id;
}

/** The API gives no key of an operator: a thief of one could otherwise make more of them. */
const ofTheMachine = (done: string): ApiError =>
  new ApiError('invalid_parameter', `keys of operators are ${done} by the command vedette, on the machine of a gateway`);

const operatorOf = ({ account: { keyId, person }, address }: Admitted): Operator => ({ actor: person ? keyId : `key ${keyId}`, address });
