import { signal } from '@preact/signals';
import type { Permissions } from '@vedette/client';
import { call } from './client.ts';
import type { Operation } from './operations.ts';
import { onSignOut, reader } from './session.ts';

/** The permissions of the reader: undefined until they are known, null where the gateway does not tell them. */
export const permissions = signal<Permissions | null | undefined>(undefined);
onSignOut(() => {
  permissions.value = undefined;
});

export async function loadPermissions(): Promise<void> {
  const asked = reader.peek();
  const answer = await call<Permissions>('/v2/permissions').catch(() => null);
  if (asked === reader.peek()) permissions.value = answer;
}

/** Why an operation is closed to the reader; `service` where the gateway does not offer it. */
export type ClosedBy = Permissions['closed'][number]['by'] | 'service';

/** Why the reader may not use an operation; undefined where that is not so, or not known. */
export function closedBy({ name }: Operation): ClosedBy | undefined {
  const known = permissions.value;
  if (!known || known.operations.includes(name)) return undefined;
  return known.closed.find(({ operation }) => operation === name)?.by ?? 'service';
}

export const isOpen = (operation: Operation): boolean => closedBy(operation) === undefined;

/** The reason in words. */
export const reasonOf = (by: ClosedBy): string =>
  ({
    key: 'this API key is restricted to others',
    role: `the role ${permissions.value?.role ?? ''} may use what is free alone`,
    plan: 'the plan of the account does not include it',
    service: 'this service does not offer it',
  })[by];
