import type { Operation } from '@vedette/operations/kit';
import { type TObject, Type } from 'typebox';
import { LocationSelection } from '../locations/selection.ts';

/** The parameters of an operation as clients see them: its own, and where to measure if it is distributed. */
export function requestSchema({ kind, request }: Operation): TObject {
  if (kind === 'central') return request;
  return Type.Object({ ...request.properties, locations: LocationSelection }, { additionalProperties: false });
}

export const hasParameters = ({ kind, request }: Operation): boolean =>
  kind === 'distributed' || Object.keys(request.properties).length > 0;
