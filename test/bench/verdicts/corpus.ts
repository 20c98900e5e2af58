import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tenantOf } from '@vedette/intel/registrable';

/**
 * The labelled corpus: folders outside the repository, since their makers' terms seldom allow a copy.
 *
 *     names/honest/*.txt names/bad/*.txt names/generated/*.txt   a host name on each line
 *     names/permutations/*.txt                                   a brand's domain, a tab, a form of it
 *     pages/honest/*.html pages/bad/*.html                       named <host of the page's owner>__<anything>.html
 *     pages/icons/*.icon                                         the icon of the page of the same name
 *     seen/bad/*.txt seen/honest/*.txt               named <set>__<anything>.txt: a URL in the first line, then the page that it showed
 *     whois/registered/*.txt whois/free/*.txt whois/refused/*.txt   named <name that was asked about>__<anything>.txt
 *     rdap/*.json                                                answers of RDAP servers about domains, as they are
 *     feeds/<engine>.txt                                         the names that a list of ours has
 */
export class Corpus {
  readonly #root: string;
  readonly missing = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Files of a folder by name, without their ending. A folder that is absent or empty is noted as missing. */
  files(folder: string): { name: string; read: () => string; bytes: () => Uint8Array }[] {
    const path = join(this.#root, folder);
    const names = existsSync(path) ? readdirSync(path).toSorted() : [];
    if (names.length === 0) this.missing.add(folder);
    return names.map((name) => ({
      name: name.replace(/\.\w+$/, ''),
      read: () => readFileSync(join(path, name), 'utf8'),
      bytes: () => readFileSync(join(path, name)),
    }));
  }

  /** The lines of a folder's files, each file once. */
  lists(folder: string): { name: string; lines: string[] }[] {
    return this.files(folder).map(({ name, read }) => ({ name, lines: linesOf(read()) }));
  }
}

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim().toLowerCase())
      .filter((line) => line !== '' && !line.startsWith('#')),
  ),
];

/** Half of all names, by a hash of the tenant: hosts of one campaign are in the same half. */
export const halfOf = (host: string): 'calibrate' | 'report' =>
  (createHash('sha256')
    .update(tenantOf(host.replace(/^www\./, '')) ?? host)
    .digest()[0]! &
    1) ===
  0
    ? 'calibrate'
    : 'report';

/** The lower and upper bound of a share at 95 % (Wilson). */
export function wilson(found: number, of: number): readonly [low: number, high: number] {
  if (of === 0) return [0, 1];
  const [z, share] = [1.96, found / of];
  const middle = share + (z * z) / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const whole = 1 + (z * z) / of;
  return [(middle - spread) / whole, (middle + spread) / whole];
}
