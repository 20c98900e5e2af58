import { type TObject, Type, type TSchema } from 'typebox';
import { LocationExtras, LocationFields } from './objects.ts';

const ErrorField = {
  error: Type.String({
    description: 'Why nothing was measured, or the measurement broke off; else empty. A part with an `error` of its own tells it there',
  }),
};

/**
 * The response schema of a distributed operation: `around`, and in the field `entries` a list of entries with their location. Without
 * `entries` the one entry's fields stand in the response itself, and the operation says in a field of its own what failed.
 */
export function withEntries(around: TObject, own: TObject, entries: string | undefined): { response: TObject; entry: TSchema | undefined } {
  if (entries === undefined)
    return { response: Type.Object({ ...around.properties, ...own.properties, ...LocationFields, ...LocationExtras }), entry: undefined };
  const entry = Type.Object({ ...LocationFields, ...LocationExtras, ...own.properties, ...ErrorField });
  return {
    response: Type.Object({ ...around.properties, [entries]: Type.Array(entry, { description: 'One entry for each selected location' }) }),
    entry,
  };
}
