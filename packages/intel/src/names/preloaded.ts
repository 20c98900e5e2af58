import type { Names } from '../ports/index.ts';
import { NameListBuilder } from './tables/builder.ts';
import type { Pause } from './tables/compile-list.ts';

/** Names of hosts that browsers reach over https alone, whatever they send: the HSTS preload list. */
export const HSTS_PRELOAD = 'hsts-preload';
/** Label in front of a name that stands for itself alone, and not for the names below it. */
const ALONE = '_alone';

/** Makes the snapshot of the preload list, as `NameSetters.setList` takes it. */
export class PreloadedBuilder {
  readonly #list = new NameListBuilder(HSTS_PRELOAD);

  get rows(): number {
    return this.#list.rows;
  }

  /** Takes a name, and whether it includes its subdomains: `1` or `0`. False for another row. */
  add(name: string, subdomains: string): boolean {
    if (subdomains !== '0' && subdomains !== '1') return false;
    return this.#list.add(subdomains === '1' ? name : `${ALONE}.${name}`);
  }

  build(pause: Pause): Promise<Uint8Array> {
    return this.#list.build(pause);
  }
}

/** Whether browsers ship a host as https alone; undefined while the list is not loaded. Hosts are names in lower-case A-labels, or addresses. */
export function isPreloaded(host: string, names: Pick<Names, 'hasList' | 'listings'>): boolean | undefined {
  if (!names.hasList(HSTS_PRELOAD)) return undefined;
  const alone = `${ALONE}.${host}`;
  const listed = names.listings(alone).find(({ list }) => list === HSTS_PRELOAD);
  return listed !== undefined && (listed.entry === alone || !listed.entry.startsWith(`${ALONE}.`));
}
