import { readFileSync } from 'node:fs';
import { type GeoPermissibleObjects, geoEqualEarth, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';

/** Of the map, in units; packages/console/src/everywhere/projection.ts has the same numbers. */
const SIZE: [number, number] = [960, 468];

type Topology = Parameters<typeof mesh>[0];

const topologyOf = (name: string): Topology => JSON.parse(readFileSync(`node_modules/world-atlas/${name}.json`, 'utf8')) as Topology;

/** The text of `world.json`: coasts and borders of Natural Earth (public domain) in Equal Earth, as paths of SVG in whole units. */
export function worldMap(): string {
  const path = geoPath(geoEqualEarth().fitSize(SIZE, { type: 'Sphere' })).digits(0);
  const land = topologyOf('land-110m');
  const countries = topologyOf('countries-110m');
  const drawn = {
    land: path(feature(land, land.objects['land']!) as GeoPermissibleObjects),
    borders: path(mesh(countries, countries.objects['countries'] as never, (a, b) => a !== b)),
  };
  return `${JSON.stringify(drawn)}\n`;
}
