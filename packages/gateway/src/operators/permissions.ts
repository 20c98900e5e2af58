import { Enum } from '@vedette/contract';
import { ROLES } from '@vedette/ledger';
import type { Operation } from '@vedette/operations/kit';
import { type Static, Type } from 'typebox';
import { CLOSED_BY, closedBy } from '../door/closed-by.ts';
import type { Admitted } from '../door/front-door.ts';
import { roleOf } from '../door/role.ts';

/** The answer of GET /v2/permissions. */
export const Permissions = Type.Object(
  {
    role: Enum(ROLES, { description: 'Role of the client' }),
    operations: Type.Array(Type.String(), { description: 'Operations of this service that the client may use' }),
    closed: Type.Array(
      Type.Object(
        {
          operation: Type.String({ description: 'Operation' }),
          by: Enum(CLOSED_BY, {
            description:
              'Reason: `key` (the key is restricted to others), `role` (the role is too low), `plan` (the plan of the account does not include it)',
          }),
        },
        { title: 'ClosedOperation' },
      ),
      { description: 'Operations of this service that the client may not use' },
    ),
  },
  { title: 'Permissions' },
);

/** Returns what a client may use of these operations. */
export function permissionsFor(client: Admitted, operations: readonly Operation[]): Static<typeof Permissions> {
  const judged = operations.map((operation) => ({ operation: operation.name, by: closedBy(client.account, operation) }));
  return {
    role: roleOf(client),
    operations: judged.flatMap(({ operation, by }) => (by === undefined ? [operation] : [])),
    closed: judged.flatMap(({ operation, by }) => (by === undefined ? [] : [{ operation, by }])),
  };
}
