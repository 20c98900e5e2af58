import type { PageLoad, RenderJob } from '@vedette/contract';
import sharp from 'sharp';
import { openEgress } from '../../packages/renderer/src/egress/index.ts';
import type { RenderPool, RenderPoolOptions } from '../../packages/renderer/src/pool/pool.ts';
import type { RenderOutput } from '../../packages/renderer/src/jobs/render.ts';
import type { FakeZone } from '../intel/fake-resolver.ts';
import { openTestPool } from './pool.ts';
import { reaching, serveSites, type Sites, type SiteServer } from './sites/serve.ts';

/** How a page is opened when nothing is asked for. */
export const LOAD: PageLoad = {
  user_agent: 'desktop',
  accept_language: 'en-US',
  disable_js: false,
  disable_popups: true,
  disable_images: false,
  disable_ads: true,
  disable_fonts: false,
  dark_mode: false,
  emulate_media: 'screen',
  delay_ms: 0,
};
type Job = Omit<Partial<RenderJob<'screenshot'>>, 'page'> & { page?: Partial<PageLoad>; html?: string };

export type Shot = RenderOutput<'screenshot'> & { pixels: Pixels };

/** Sites and a browser that takes pictures of them; close both. */
export interface Studio {
  sites: SiteServer;
  render(url: string | undefined, job?: Job): Promise<RenderOutput<'screenshot'>>;
  /** Renders, and looks at the picture. */
  shoot(url: string | undefined, job?: Job): Promise<Shot>;
  close(): Promise<void>;
}

/** One browser and one server for all tests of a file. */
export async function openStudio(
  sites: Sites,
  { zone, ...options }: Partial<Pick<RenderPoolOptions, 'adFilter'>> & { switches?: readonly string[]; zone?: FakeZone } = {},
): Promise<Studio> {
  const server = await serveSites(sites);
  const pool: RenderPool = await openTestPool({ egress: await openEgress(reaching(server, zone)), slots: 3, ...options });
  const render: Studio['render'] = (url, { page, html, ...job } = {}) =>
    pool.run(
      'screenshot',
      {
        image_type: 'png',
        full_page: false,
        auto_height: false,
        add_url_bar: false,
        omit_background: false,
        grayscale: false,
        ...job,
        page: { ...LOAD, ...(url !== undefined && { url }), ...page },
      },
      { signal: AbortSignal.timeout(60_000), budget_ms: 55_000, ...(html !== undefined && { input: Buffer.from(html) }) },
    );
  return {
    sites: server,
    render,
    async shoot(url, job) {
      const output = await render(url, job);
      return { ...output, pixels: await Pixels.of(output.file) };
    },
    async close() {
      await pool.close();
      await server.close();
    },
  };
}

/** A picture as it is looked at. */
export class Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly #data: Buffer;

  constructor(data: Buffer, { width, height, channels }: { width: number; height: number; channels: number }) {
    this.#data = data;
    [this.width, this.height, this.channels] = [width, height, channels];
  }

  static async of(file: Uint8Array | undefined): Promise<Pixels> {
    if (file === undefined || file.length === 0) return new Pixels(Buffer.alloc(0), { width: 0, height: 0, channels: 0 });
    const { data, info } = await sharp(file, { limitInputPixels: 200_000_000 })
      .ensureAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return new Pixels(data, info);
  }

  /** `#rrggbb`, with the opacity behind it where it is not whole. */
  at(x: number, y: number): string {
    const from = (y * this.width + x) * this.channels;
    const [r, g, b, a] = this.#data.subarray(from, from + 4);
    const hex = [r, g, b].map((part) => (part ?? 0).toString(16).padStart(2, '0')).join('');
    return `#${hex}${a === 255 ? '' : (a ?? 0).toString(16).padStart(2, '0')}`;
  }

  /** How many pixels differ clearly from those of another picture of the same size, from 0 to 1. */
  differenceTo(other: Pixels): number {
    if (other.width !== this.width || other.height !== this.height) return 1;
    let different = 0;
    for (let at = 0; at < this.#data.length; at += this.channels)
      if ([0, 1, 2].some((part) => Math.abs(this.#data[at + part]! - other.#data[at + part]!) > 24)) different++;
    return different / (this.width * this.height);
  }

  /** How many pixels have this colour. */
  count(colour: string): number {
    let found = 0;
    for (let y = 0; y < this.height; y++) for (let x = 0; x < this.width; x++) if (this.at(x, y) === colour) found++;
    return found;
  }
}
