export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The value below which the share `q` of them lies; of an even count the upper one. */
export const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))]!;
