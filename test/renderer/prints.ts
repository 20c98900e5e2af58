import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAddressPolicy } from '@vedette/probes/host';
import type { PageLoad, RenderJob } from '@vedette/contract';
import { createDialler } from '@vedette/probes/net';
import { openEgress } from '../../packages/renderer/src/egress/index.ts';
import { type RenderOutput, UNCHANGED_PAGE } from '../../packages/renderer/src/jobs/render.ts';
import { openTestPool } from './pool.ts';
import { reaching, serveSites, type Sites, type SiteServer } from './sites/serve.ts';

const LOAD: PageLoad = {
  user_agent: 'desktop',
  accept_language: 'en-US',
  ...UNCHANGED_PAGE,
};
const SHEET: Omit<RenderJob<'pdf'>, 'page'> = {
  width: 0,
  height: 0,
  format: 'A4',
  margin: 0,
  show_background: true,
  landscape: false,
  page_ranges: '',
  scale: 1,
  one_page: false,
};
type Job = Partial<typeof SHEET> & { page?: Partial<PageLoad>; budget_ms?: number };

export type Printed = RenderOutput<'pdf'> & { pdf: Pdf };

/** Sites and a browser that prints them, or HTML; close both. */
export interface Printer extends AsyncDisposable {
  sites: SiteServer;
  /** `what`: a URL, or HTML. */
  print(what: string, job?: Job): Promise<Printed>;
  close(): Promise<void>;
}

/** One browser and one server for all tests of a file. `outer`: as operators have it who let nobody reach their own addresses, so that no site is in reach. */
export async function openPrinter({ sites = {}, outer = false }: { sites?: Sites; outer?: boolean } = {}): Promise<Printer> {
  const server = await serveSites(sites);
  const ways = { ...reaching(server), ...(outer && { dialler: createDialler({ policy: createAddressPolicy() }) }) };
  const pool = await openTestPool({ egress: await openEgress(ways) });
  const close = async (): Promise<void> => {
    await pool.close();
    await server.close();
  };
  return {
    sites: server,
    async print(what, { page, budget_ms = 55_000, ...job } = {}) {
      const isUrl = what.startsWith('http://') || what.startsWith('https://');
      const output = await pool.run(
        'pdf',
        { ...SHEET, ...job, page: { ...LOAD, ...(isUrl && { url: what }), ...page } },
        { signal: AbortSignal.timeout(60_000), budget_ms, ...(!isUrl && { input: Buffer.from(what) }) },
      );
      return { ...output, pdf: new Pdf(output.file ?? new Uint8Array()) };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A PDF as poppler reads it. */
export class Pdf {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** What `pdfinfo` says, by name. */
  get info(): ReadonlyMap<string, string> {
    const lines = this.#run('pdfinfo', []).split('\n');
    return new Map(
      lines.flatMap((line) => (line.includes(':') ? [[line.split(':', 1)[0]!, line.slice(line.indexOf(':') + 1).trim()]] : [])),
    );
  }

  get pages(): number {
    return Number(this.info.get('Pages'));
  }

  /** Points, 72 to the inch, as whole numbers: Chromium rounds paper up to its own pixels. */
  get size(): [width: number, height: number] {
    const [, width = '', height = ''] = /^([\d.]+) x ([\d.]+) pts/.exec(this.info.get('Page size') ?? '') ?? [];
    return [Math.floor(Number(width)), Math.floor(Number(height))];
  }

  text(options: { page?: number; layout?: boolean } = {}): string {
    const page = options.page === undefined ? [] : ['-f', String(options.page), '-l', String(options.page)];
    return this.#run('pdftotext', [...page, ...(options.layout === true ? ['-layout'] : [])], ['-'])
      .replaceAll('\f', '')
      .trim();
  }

  /** Name of each font, and whether it comes with the file. */
  get fonts(): { name: string; embedded: boolean }[] {
    const [, dashes = '', ...rows] = this.#run('pdffonts', []).split('\n');
    const columns = [...dashes.matchAll(/-+/g)].map(({ index, 0: { length } }) => [index, index + length] as const);
    return rows
      .filter((row) => row.trim() !== '')
      .map((row) => ({ name: row.slice(...columns[0]!).trim(), embedded: row.slice(...columns[3]!).trim() === 'yes' }));
  }

  /** Share of the first page that is not white, at one pixel to the point. */
  ink(isInk: (r: number, g: number, b: number) => boolean = (r, g, b) => r < 250 || g < 250 || b < 250): number {
    const ppm = this.#run('pdftoppm', ['-r', '72', '-f', '1', '-l', '1'], [], 'latin1');
    const head = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(ppm)!;
    const pixels = Buffer.from(ppm.slice(head[0].length), 'latin1');
    let ink = 0;
    for (let at = 0; at + 2 < pixels.length; at += 3) if (isInk(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!)) ink++;
    return ink / (Number(head[1]) * Number(head[2]));
  }

  #run(tool: string, before: readonly string[], after: readonly string[] = [], encoding: BufferEncoding = 'utf8'): string {
    const folder = mkdtempSync(join(tmpdir(), 'vedette-pdf-'));
    try {
      const file = join(folder, 'a.pdf');
      writeFileSync(file, this.#bytes);
      return execFileSync(tool, [...before, file, ...after], {
        encoding,
        maxBuffer: 256 * 1024 * 1024,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
