import { type TObject, Type, type TSchema } from 'typebox';
import { LocationExtras, LocationFields } from './objects.ts';

const ErrorField = {
  error: Type.String({
    description: 'Reason why the measurement failed or broke off; empty if it succeeded. A failed part reports its own `error`',
  }),
};

/**
 * The response schema of a distributed operation: `around`, and in the field `entries` a list of entries with their location. Without
 * `entries` the one entry's fields stand in the response itself, and the operation says in a field of its own what failed.
 */
export function withEntries(
  around: TObject,
  measured: TObject,
  entries: string | undefined,
): { response: TObject; entry: TSchema | undefined } {
  if (entries === undefined)
    return {
      response: Type.Object({ ...around.properties, ...measured.properties, ...LocationFields, ...LocationExtras }),
      entry: undefined,
    };
  const entry = Type.Object({ ...LocationFields, ...LocationExtras, ...measured.properties, ...ErrorField });
  return {
    response: Type.Object({ ...around.properties, [entries]: Type.Array(entry, { description: 'One entry for each selected location' }) }),
    entry,
  };
}
