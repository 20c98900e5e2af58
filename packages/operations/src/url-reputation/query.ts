import type { Requested } from '../shared/pages/unwrapped.ts';

/** A request as it was read. */
export interface UrlQuery extends Requested {
  exclude: readonly string[];
  key: string | undefined;
  withAge: boolean;
}
