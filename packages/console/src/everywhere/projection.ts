/** Size of the map, in units; `scripts/console/world.ts` draws coasts and borders of the same. */
const WIDTH = 960;
const HEIGHT = 468;

const SCALE = 177.342;
const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796] as const;
const M = Math.sqrt(3) / 2;

/** Where a place is on the map: Equal Earth (Šavrič, Patterson and Jenny, 2018). Latitude 0, longitude 0 stands for a place that is not known. */
export function pointOf(latitude: number, longitude: number): { x: number; y: number } | undefined {
  if ((latitude === 0 && longitude === 0) || !Number.isFinite(latitude) || !Number.isFinite(longitude)) return undefined;
  const theta = Math.asin(M * Math.sin((latitude * Math.PI) / 180));
  const [t2, t6] = [theta ** 2, theta ** 6];
  const x = (((longitude * Math.PI) / 180) * Math.cos(theta)) / (M * (A1 + 3 * A2 * t2 + t6 * (7 * A3 + 9 * A4 * t2)));
  const y = theta * (A1 + A2 * t2 + t6 * (A3 + A4 * t2));
  return { x: WIDTH / 2 + SCALE * x, y: HEIGHT / 2 - SCALE * y };
}
