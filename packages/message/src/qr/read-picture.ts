import { parseHost } from '@vedette/contract';
import { hostParts } from '@vedette/intel/names';
import { unwrapAll } from '@vedette/web/links';
import { kindByMagic } from '../files/index.ts';
import { IndicatorReader } from '../indicators/index.ts';
import {
  type Code,
  codesIn,
  type Drawing,
  drawingFrames,
  type Frame,
  htmlDrawings,
  isHonest,
  pageFrames,
  rasterFrames,
  rasterOf,
  textDrawings,
} from '../pictures/index.ts';
import type { CodeFacts, PictureFacts } from '../report/index.ts';
import { contentOf } from './contents.ts';

/** Codes that are read on one page, and in all. */
const CODES_MAX = 50;
const CODES_TOTAL_MAX = 200;
/** A telephone has 12 million pixels. More would not fit in the memory that a parser may take. */
const PIXELS_MAX = 16_000_000;
/** CPU time after which nothing more is searched; a parser is ended after 10 s. */
const ENOUGH_CPU_MS = 5_000;
/** HTML and text that are looked at. */
const TEXT_MAX_CHARS = 4 * 1024 * 1024;
const DEFANGED = /\bh(?:xx|\*\*)ps?\b|\[\.\]|\(dot\)|\[:\]/i;

const SEARCH = { tryHarder: true, relatives: true, max: CODES_MAX };

type Kind = PictureFacts['image_format'];

/** Reads the codes of a picture, a drawing, the pages of a document, or what text and HTML draw. A file of another kind has no format. */
export async function readPicture(bytes: Uint8Array): Promise<PictureFacts> {
  const search = new Search();
  const [format, frames] = framesOf(bytes);
  for await (const frame of frames) {
    if (search.isOver) break;
    if (frame) await search.add(frame);
    else search.isCut = true;
  }
  if (format === 'html' || format === 'text') search.hasRead();
  return await search.facts(format);
}

function framesOf(bytes: Uint8Array): [Kind, AsyncIterable<Frame | undefined> | Iterable<Frame>] {
  const raster = rasterOf(bytes);
  if (raster)
    return [raster.kind, raster.width * raster.height <= PIXELS_MAX && isHonest(bytes, raster) ? rasterFrames(bytes, raster) : []];
  const text = (): string => Buffer.from(bytes).toString('utf8').slice(0, TEXT_MAX_CHARS);
  switch (kindByMagic(bytes)) {
    case 'svg':
      return ['svg', drawingFrames(bytes)];
    case 'pdf':
      return ['pdf', pageFrames(bytes)];
    case 'html':
      return ['html', drawn(htmlDrawings(text()))];
    case 'text':
      return ['text', drawn(textDrawings(text()))];
    default:
      return ['', []];
  }
}

function* drawn(drawings: readonly Drawing[]): Generator<Frame> {
  for (const { pixels } of drawings) yield { page: 1, width: 0, height: 0, image: pixels(), scale: 0 };
}

class Search {
  isOver = false;
  /** Something was not searched. */
  isCut = false;
  #size = { width: 0, height: 0 };
  #pages = 0;
  #unreadable = 0;
  #decoded = false;
  readonly #codes: CodeFacts[] = [];
  readonly #started = process.cpuUsage();

  /** Text that draws nothing has no frame. */
  hasRead(): void {
    this.#decoded = true;
    this.#pages = 1;
  }

  /** Searches a frame as it is, and larger where something is there that was not read. */
  async add(frame: Frame): Promise<void> {
    const { page, image, scale, larger } = frame;
    if (this.#pages === 0) this.#size = { width: Math.round(frame.width), height: Math.round(frame.height) };
    this.#pages = Math.max(this.#pages, page);
    const first = await codesIn(image, SEARCH);
    const { codes, isDecoded } = first;
    let { failures } = first;
    this.#decoded ||= isDecoded;
    for (const code of codes) this.#found(code, page, scale);
    if ((codes.length === 0 || failures > 0) && larger && !this.#isLate()) {
      const more = await larger();
      const again = more && (await codesIn(more.image, SEARCH));
      for (const code of again?.codes ?? []) this.#found(code, page, scale * more!.scale);
      failures = Math.min(failures, again?.failures ?? failures);
    }
    if (scale > 0) this.#unreadable += failures; // a drawing is looked at in several ways, of which most fail
    this.isOver ||= this.#codes.length >= CODES_TOTAL_MAX || codes.length + failures >= CODES_MAX || this.#isLate();
  }

  async facts(image_format: Kind): Promise<PictureFacts> {
    return {
      image_format,
      image_width: this.#size.width,
      image_height: this.#size.height,
      pages: this.#pages,
      codes: this.#codes,
      unreadable_codes: this.#unreadable,
      is_complete: this.#decoded && !this.isOver && !this.isCut,
      is_decoded: this.#decoded,
      found_urls: await urlsOf(this.#codes),
    };
  }

  #isLate(): boolean {
    const { user, system } = process.cpuUsage(this.#started);
    return (user + system) / 1_000 > ENOUGH_CPU_MS;
  }

  /** Two drawings of the same cells, and a picture that is searched twice, have the same code. */
  #found({ text, corners, format, ec_level, version, inverted, mirrored }: Code, page: number, scale: number): void {
    const position = scale === 0 ? [] : corners.map(({ x, y }) => ({ x: Math.round(x / scale), y: Math.round(y / scale) }));
    const isKnown = this.#codes.some((code) => code.page === page && code.content === text && overlap(code.position, position));
    if (isKnown || this.#codes.length >= CODES_TOTAL_MAX) return;
    const is = { is_inverted: inverted, is_mirrored: mirrored };
    this.#codes.push({ format, content: text, ...contentOf(text), page, position, ec_level, version, ...is });
  }
}

/** Whether the middle of one code is within the other's bounds. */
function overlap(one: CodeFacts['position'], other: CodeFacts['position']): boolean {
  if (one.length === 0 || other.length === 0) return true;
  const isWithin = (axis: 'x' | 'y'): boolean => {
    const middle = other.reduce((sum, corner) => sum + corner[axis], 0) / other.length;
    const values = one.map((corner) => corner[axis]);
    return middle >= Math.min(...values) && middle <= Math.max(...values);
  };
  return isWithin('x') && isWithin('y');
}

/** The URLs that the codes name, each once. */
async function urlsOf(codes: readonly CodeFacts[]): Promise<PictureFacts['found_urls']> {
  const urls = new Map<string, PictureFacts['found_urls'][number]>();
  for (const { content } of codes) {
    const reader = new IndicatorReader();
    reader.code(content);
    for (const url of (await reader.read()).urls)
      if (!urls.has(url)) urls.set(url, { ...toldBy(url), is_defanged: DEFANGED.test(content) });
  }
  return [...urls.values()];
}

function toldBy(url: string) {
  const { url: inner, wrappers } = unwrapAll(url);
  const hostname = new URL(inner).hostname.replace(/^\[|\]$/g, '');
  const parsed = parseHost(hostname);
  const host = parsed?.host ?? hostname;
  return {
    url,
    unwrapped_url: wrappers.length === 0 ? '' : inner,
    host,
    domain_parts: hostParts(host),
    is_ip_host: parsed !== undefined && parsed.kind !== 'name',
  };
}
