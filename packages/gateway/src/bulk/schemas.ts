import type { Operation } from '@vedette/operations/kit';
import { type TObject, type TSchema, Type } from 'typebox';
import { ErrorBody } from '../door/error-schema.ts';

export const MAX_ITEMS = 500;
/** 500 mail addresses or names of the greatest length, escaped or not. */
export const BULK_BODY_BYTES = 256 * 1024;

export const bulkPath = (operation: string): string => `/v2/${operation}/bulk`;

/** The parameters of a bulk request: `items` in place of the one that they are values of. Undefined for operations without such requests. */
export function bulkRequest({ bulk, request }: Operation, item?: TSchema): TObject | undefined {
  if (bulk === undefined) return undefined;
  const properties: Record<string, TSchema> = request.properties;
  const { [bulk]: one, ...options } = properties;
  const items = Type.Array(item ?? one!, {
    minItems: 1,
    maxItems: MAX_ITEMS,
    description: `Values of \`${bulk}\`. Each is an item of its own, also where two are equal`,
  });
  return Type.Object({ items, ...options }, { additionalProperties: false });
}

/** One line of the answer. */
export const bulkLine = (report: TSchema): TObject =>
  Type.Object({
    index: Type.Integer({ minimum: 0, maximum: MAX_ITEMS - 1, description: 'Position of the item in `items`, from 0' }),
    status: Type.Integer({
      description: 'Status that a request about this item alone would get; 200 with a `report`, else with an `error`',
    }),
    cost: Type.Integer({ minimum: 0, description: 'Credits charged for the item; 0 unless the status is 200' }),
    replayed: Type.Optional(
      Type.Boolean({ description: 'true if the report was paid for by an earlier request with this Idempotency-Key' }),
    ),
    report: Type.Optional(report),
    error: Type.Optional(ErrorBody.properties.error),
    code: Type.Optional(ErrorBody.properties.code),
    param: Type.Optional(Type.String({ description: 'The invalid item, such as `items[3]`' })),
    retry_after_s: Type.Optional(
      Type.Integer({ description: 'Seconds after which the item may do better in another request; absent if that is unknown' }),
    ),
  });
