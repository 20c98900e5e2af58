/** The tests of one run: `npm test` leaves some repetition to `npm run test:slow`, which runs these files again, with all of it. */
export const isBrief = process.env['BRIEF_TESTS'] === '1';

/** Cases that a property is tried on: a tenth in `npm test`, always the same; all in `npm run test:slow`, new ones each time. */
export const runs = (all: number): number => (isBrief ? Math.ceil(all / 10) : all);

/** Cases of a table of similar ones: the first, the third and so on in `npm test`, all in `npm run test:slow`. */
export const everySecond = <const T>(cases: readonly T[]): readonly T[] =>
  isBrief ? cases.filter((_case, index) => index % 2 === 0) : cases;
