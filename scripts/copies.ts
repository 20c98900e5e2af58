import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Files of a public repository, by the feeds that they are copies of. */
interface CopySource {
  repository: string;
  /** CC0, MIT or BSD: NOTICE has what they ask to be said. */
  files: Record<string, string>;
  /** Makes the file what the feed has at its own source; as it is without. */
  convert?(file: Buffer): Buffer;
}

const SOURCES: readonly CopySource[] = [
  { repository: 'ipverse/bot-ip-blocks', files: { crawlers: 'crawlers.json', monitoring: 'monitoring.json' } },
  {
    repository: 'X4BNet/lists_vpn',
    files: { 'x4b-datacenter': 'output/datacenter/ipv4.txt', 'x4b-datacenter-ipv6': 'output/datacenter/ipv6.txt' },
  },
  {
    repository: 'MISP/misp-warninglists',
    files: { 'public-dns-ipv4': 'lists/public-dns-v4/list.json', 'public-dns-ipv6': 'lists/public-dns-v6/list.json' },
  },
  { repository: 'sethmlarson/hstspreload', files: { 'hsts-preload': 'hstspreload/hstspreload.bin' }, convert: preloaded },
];

/** Feeds that a release has copies of. */
export const COPIED_FEEDS: readonly string[] = SOURCES.flatMap(({ files }) => Object.keys(files));

const FOLDER = new URL('../packages/intel/src/datasets/copies/', import.meta.url).pathname;

/** Fetches the copies of feeds for a release, with the days of their last changes. */
export function copyFeeds(): void {
  const days: Record<string, string> = {};
  for (const { repository, files, convert = (file: Buffer) => file } of SOURCES) {
    const folder = mkdtempSync(join(tmpdir(), 'vedette-copies-'));
    const git = (...args: string[]): Buffer => execFileSync('git', ['-C', folder, ...args], { maxBuffer: 2 ** 28 });
    try {
      git('clone', '--quiet', '--bare', '--depth=1', '--filter=blob:none', `https://github.com/${repository}`, '.');
      for (const [feed, path] of Object.entries(files)) {
        writeFileSync(join(FOLDER, `${feed}.gz`), gzipSync(convert(git('show', `HEAD:${path}`)), { level: 9 }));
        days[feed] = git('log', '-1', '--format=%cs').toString().trim();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  const sorted = Object.fromEntries(Object.entries(days).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(FOLDER, 'days.json'), `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Records of Chromium's list: flags, the length of a name, the name. Those of a whole name are leaves; the others are labels of such names. */
function preloaded(records: Buffer): Buffer {
  const [LEAF, SUBDOMAINS] = [0x80, 0x40];
  const lines: string[] = [];
  for (let at = 0; at < records.length; at += 2 + records[at + 1]!) {
    const flags = records[at]!;
    const name = records.toString('latin1', at + 2, at + 2 + records[at + 1]!);
    if (flags & LEAF) lines.push(`${name}, ${flags & SUBDOMAINS ? 1 : 0}\n`);
  }
  return Buffer.from(lines.toSorted().join(''));
}
