/** Cases that a property is tried on: all in `npm run test:slow`, which draws new ones each time; a tenth of them in `npm test`, always the same. */
export const runs = (all: number): number => (process.env['ALL_RUNS'] === '1' ? all : Math.ceil(all / 10));
