import { signal } from '@preact/signals';
import { listLocations } from './client.ts';
import { onSignOut } from './session.ts';

/** A location as GET /v2/locations has it. */
export interface Location {
  id: string;
  continent_code: string;
  continent_name: string;
  country_code: string;
  country_name: string;
  city_name: string;
  latitude: number;
  longitude: number;
  state: string;
  asked_by_default: boolean;
  simulated: boolean;
  agents: number;
  capabilities: string[];
  down: string[];
}

/** Locations by their ids; empty until they are known, or where the key may not list them. */
export const locations = signal<ReadonlyMap<string, Location>>(new Map());
onSignOut(() => {
  locations.value = new Map();
});

export async function loadLocations(): Promise<void> {
  const { locations: list } = await listLocations();
  locations.value = new Map(list.map((location) => [location.id, location]));
}
