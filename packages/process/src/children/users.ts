import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface User {
  uid: number;
  gid: number;
}

/**
 * The range of our users' ids: no system assigns these (https://systemd.io/UIDS-GIDS/), and they lie above those of directory services and
 * /etc/subuid. The second is for user namespaces that map 65,536 ids only.
 */
const RANGES = [
  { first: 2_100_000_000, blocks: 5_000_000 },
  { first: 60_584, blocks: 74 },
];
/** Users of one system. */
const BLOCK = 8;

/**
 * One of the eight users that belong to the system in a directory: ids without an account, always the same for a directory, others for
 * another one. Undefined where this user namespace has no such ids.
 */
export function systemUser(directory: string, seat: number): User | undefined {
  const range = RANGES.find(({ first, blocks }) => isMapped(first, blocks * BLOCK));
  if (range === undefined) return undefined;
  const taken = new Set(['/etc/passwd', '/etc/group'].flatMap(idsOf).map((id) => Math.floor((id - range.first) / BLOCK)));
  let block = Number.parseInt(hash('sha256', directory).slice(0, 12), 16) % range.blocks;
  while (taken.has(block)) block = (block + 1) % range.blocks;
  const id = range.first + block * BLOCK + seat;
  return { uid: id, gid: id };
}

/** Third fields: ids of users in passwd(5), of groups in group(5). */
const idsOf = (path: string): number[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => line.split(':')[2] ?? [])
    .map(Number);

/** Whether all of these ids exist in our user namespace, user_namespaces(7). */
const isMapped = (first: number, count: number): boolean =>
  ['/proc/self/uid_map', '/proc/self/gid_map'].every((path) =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .some(([inside = 0, , length = 0]) => first >= inside && first + count <= inside + length),
  );
