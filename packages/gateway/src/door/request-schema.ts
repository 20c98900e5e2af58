import type { Operation } from '@vedette/operations/kit';
import { type TObject, Type } from 'typebox';
import { FewLocations, FurtherLocations, LocationSelection } from '../locations/selection.ts';

/** The parameters of an operation as clients see them: its own, and where to measure if locations can. */
export function requestSchema(operation: Operation): TObject {
  const locations = selectionFor(operation);
  if (!locations) return operation.request;
  return Type.Object({ ...operation.request.properties, locations }, { additionalProperties: false });
}

function selectionFor(operation: Operation): typeof LocationSelection | undefined {
  if (operation.kind === 'central') return operation.fromLocations && FurtherLocations;
  return operation.fewLocations ? FewLocations : LocationSelection;
}

export const hasParameters = ({ kind, request }: Operation): boolean =>
  kind === 'distributed' || Object.keys(request.properties).length > 0;
