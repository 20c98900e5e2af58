import { type LocationEntry, LocationExtras, LocationFields } from '@vedette/operations/kit';
import { type Static, Type } from 'typebox';
import type { Parts } from '../request/parts.ts';
import type { Place } from './locations.ts';

const ChosenLocation = Type.Object(
  { ...LocationFields, location: LocationExtras.location, simulated: LocationExtras.simulated },
  { title: 'ChosenLocation' },
);

/** The first event of a stream. */
export const ChosenLocations = Type.Object(
  {
    locations: Type.Array(ChosenLocation, {
      description: 'Locations that measure, in the order of the report; empty if the service measures by itself',
    }),
  },
  { title: 'ChosenLocations', description: 'Locations that were chosen for a request' },
);
export type ChosenLocations = Static<typeof ChosenLocations>;

/** A place by its names, as entries have it. */
export const namesOf = ({ continent_code, continent_name, country_code, country_name, city_name }: Place): LocationEntry => ({
  continent_code,
  continent_name,
  country_code,
  country_name,
  city_name,
});

/** Names the locations of a request. */
export const chosenLocations = (ids: readonly string[], { fleet: { presence }, config: { catalogue } }: Parts): ChosenLocations => ({
  locations: ids.map((id) => ({
    ...namesOf(catalogue.place(id)),
    location: id,
    ...(presence.isSimulated(id) && { simulated: true }),
  })),
});
