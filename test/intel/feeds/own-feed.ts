import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAddressPolicy } from '@vedette/probes/host';
import { DATASETS } from '@vedette/intel/datasets';
import { type BuildSnapshot, createFeeds, type Dataset, type Feed, type Feeds } from '@vedette/intel/feeds';
import { createDialler, systemClock } from '@vedette/probes/net';
import { onTestFinished } from 'vitest';
import { type Builders } from '@vedette/intel/feeds';
import { buildFile } from '../../../packages/intel/src/feeds/build/build-file.ts';
import { fetchThrough } from '../../../packages/gateway/src/intel/feeds.ts';
import { SHUT } from '../../operations/shut.ts';
import { hostsResolver } from '../../probes/http/loopback-ports.ts';
import { listen } from '../../probes/http/raw-server.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';

export const DAY_MS = 86_400_000;
export const TODAY = Date.parse('2026-11-22');

export const folderOfTest = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-feeds-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

/** A feed of lines of the server's on that port. */
export const ownFeed = (port: number, changes: Partial<Feed> = {}): Feed => ({
  name: 'ours',
  dataset: 'disposable',
  url: `http://127.0.0.1:${port}/list`,
  format: 'lines',
  tells: 'nothing',
  licence: 'CC0-1.0',
  attribution: 'Example Inc.',
  curated: false,
  enabled: true,
  every_hours: 24,
  rest_minutes: 5,
  max_bytes: 100_000,
  min_rows: 3,
  max_change: 3,
  ...changes,
});

/** What a dataset of tests has in use, by the name of the feed: its lines. */
export interface InUse {
  dataset: Dataset;
  used: Map<string, string>;
}

export function lineDataset({ rules = 1 } = {}): InUse {
  const used = new Map<string, string>();
  return {
    used,
    dataset: {
      rules,
      shipped: () => undefined,
      use: ({ name }, snapshot) => void used.set(name, Buffer.from(snapshot).toString()),
      drop: ({ name }) => void used.delete(name),
    },
  };
}

/** The same octets as a Buffer that begins within a larger one, as small ones of Node do. */
const pooled = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.alloc(8, 1), bytes]).subarray(8);

/** Its snapshots are its rows, fields between bars; what begins with `!` is no row, and `poison` is forbidden. */
export const buildLines: BuildSnapshot = async (file) => {
  const lines: string[] = [];
  let [unreadable, forbidden] = [0, false];
  for await (const rows of file.rows())
    for (const row of rows) {
      if (row[0] === '' || row[0]!.startsWith('!')) unreadable++;
      else lines.push(row.join('|'));
      forbidden ||= row[0] === 'poison';
    }
  return { bytes: Buffer.from(lines.join('\n')), rows: lines.length, unreadable, forbidden: forbidden ? 'poison' : undefined };
};

export const all = <T>(one: T): Record<string, T> =>
  Object.fromEntries([...DATASETS.map(({ name }) => name), 'filters'].map((name) => [name, one]));

export interface World {
  feeds: Feeds;
  clock: ManualClock;
  /** The first feed. */
  status: () => ReturnType<Feeds['status']>[number];
  refused: string[];
  logged: string[];
  /** How many files were made into snapshots. */
  built: () => number;
}

export interface Start {
  datasets?: Record<string, Dataset>;
  builders?: Builders;
  folder?: string;
  shared?: boolean;
  disk_bytes?: number;
  today?: () => number;
}

/** A gateway's feeds, and a clock of ours. Files are read in this thread. */
export function startFeeds(catalogue: readonly Feed[], { datasets, builders, folder, shared, disk_bytes, today }: Start = {}): World {
  const clock = manualClock();
  const refused: string[] = [];
  const logged: string[] = [];
  const log = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const dialler = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
  const ports = { ...SHUT, resolver: hostsResolver({}), dialler, clock: systemClock, ca: [], userAgent: 'test' };
  let built = 0;
  const feeds = createFeeds({
    catalogue,
    datasets: datasets ?? all(lineDataset().dataset),
    folder: folder ?? folderOfTest(),
    shared: shared ?? false,
    disk_bytes: disk_bytes ?? 10_000_000,
    fetch: fetchThrough(ports, () => false),
    async build(feed, body, _signal, kept) {
      built++;
      const before = kept?.days ? { ...kept, days: pooled(kept.days) } : kept;
      const made = await buildFile(builders ?? all(buildLines), feed, body, before);
      return made.days ? { ...made, days: { ...made.days, bytes: pooled(made.days.bytes) } } : made;
    },
    clock,
    today: today ?? (() => TODAY),
    random: () => 0.5,
    log: { info: log, warn: log, error: log },
    onRefused: (name, why) => refused.push(`${name} ${why}`),
  });
  onTestFinished(() => feeds.stop());
  return { feeds, clock, status: () => feeds.status()[0]!, refused, logged, built: () => built };
}

export interface FeedServer {
  answer: RequestListener;
  readonly requests: Record<string, unknown>[];
  readonly port: number;
}

/** A server on loopback that answers as it is told to at the time. */
export async function serve(first: RequestListener): Promise<FeedServer> {
  const server = { answer: first, requests: [] as Record<string, unknown>[], port: 0 };
  const here = await listen(
    createServer((request, response) => {
      server.requests.push({ ...request.headers, path: request.url });
      server.answer(request, response);
    }),
  );
  onTestFinished(() => here[Symbol.asyncDispose]());
  server.port = here.port;
  return server;
}

export const names = (count: number, prefix = 'n'): string => Array.from({ length: count }, (_, i) => `${prefix}${i}.example\n`).join('');

export const list =
  (body: string | Uint8Array, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, headers).end(body);
