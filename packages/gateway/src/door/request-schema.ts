import type { Operation } from '@vedette/operations/kit';
import { type TObject, Type } from 'typebox';
import { FewLocations, LocationSelection } from '../locations/selection.ts';

/** The parameters of an operation as clients see them: its own, and where to measure if it is distributed. */
export function requestSchema(operation: Operation): TObject {
  const { kind, request } = operation;
  if (kind === 'central') return request;
  const locations = operation.fewLocations ? FewLocations : LocationSelection;
  return Type.Object({ ...request.properties, locations }, { additionalProperties: false });
}

export const hasParameters = ({ kind, request }: Operation): boolean =>
  kind === 'distributed' || Object.keys(request.properties).length > 0;
