import { ApiError, failure, type LoadedPage, type PageLoad, paperOf, type RenderJob, unlessAborted, within } from '@vedette/contract';
import { scrollThrough } from '../image/full-page.ts';
import { htmlOf } from '../page/html-of.ts';
import { openForPicture, type Opened } from '../page/open-page.ts';
import { inWorld } from '../page/world.ts';
import { printOnePage } from '../print/one-page.ts';
import { pdfPages } from '../print/pdf-pages.ts';
import { type NoFile, print, type Print } from '../print/print.ts';
import { addingStyle, type PageSize, printStyle } from '../print/style.ts';
import { defineRender, type RenderTools } from './render.ts';

/** Structure for screen readers takes the square of the elements' number to write. */
const TAGGED_MAX_ELEMENTS = 3_000;
const STYLE_MS = 3_000;
const SCROLL_MS = 6_000;
/** The part of the budget kept for the transfer of the file. */
const SEND_MS = 3_000;
/** A page whose script never yields is never printed either. */
const PRINT_MS = 30_000;

const nothing = (page: LoadedPage) => ({ page, pages: 0 });

/** A PDF of a page, or of HTML. A document that has none of the pages that were asked for comes without a file, and without a failure. */
export const pdf = defineRender({
  kind: 'pdf',
  nothing,
  async run(job, tools) {
    const until = tools.clock.now() + tools.budget_ms - SEND_MS;
    const sheet = sheetOf(job);
    const opened = await openForPicture(job.page.url === undefined ? asWideAs(sheet, job.page) : job.page, tools);
    const { loaded } = opened;
    if (loaded.failure !== undefined) return { result: nothing(loaded) };
    const html = await htmlOf(tools.page);
    const { elements } = await prepare(job, opened, tools);
    const within_ms = Math.max(0, Math.min(PRINT_MS, until - tools.clock.now()));
    const file = await printWithin(within_ms, { ...sheet, tagged: elements <= TAGGED_MAX_ELEMENTS }, { job, opened, tools });
    if (file === 'late') return { result: tooLarge(loaded, 'it takes too long to print'), html };
    if (file === 'too_large') return { result: tooLarge(loaded, 'its PDF has more than 50 MB'), html };
    if (file === 'no_such_page') return { result: nothing(loaded), html };
    const pages = pdfPages(file);
    if (pages === undefined) throw new ApiError('upstream_failed', 'the browser produced no PDF');
    return { result: { page: loaded, pages }, file, html };
  },
});

const sheetOf = (job: RenderJob<'pdf'>): Print => ({
  ...paperOf(job),
  margin: job.margin,
  scale: job.scale,
  background: job.show_background,
  ranges: job.page_ranges,
  tagged: true,
});

/** HTML that comes to be printed is laid out for its paper from the beginning, so that its scripts draw at the size that is printed. */
const asWideAs = ({ width, height, margin, scale }: Print, page: PageLoad): PageLoad => {
  const inner = (px: number, max: number): number => Math.max(1, Math.min(max, Math.floor((px - 2 * margin) / scale)));
  return { ...page, viewport_width: inner(width, 5_000), viewport_height: inner(height, 10_000) };
};

/** Fetches content that loads on scrolling, and adds our style. */
async function prepare(job: RenderJob<'pdf'>, opened: Opened, { clock, signal }: RenderTools): Promise<PageSize> {
  const { session, mainFrameId: frameId } = opened;
  const size = await inWorld<PageSize>(session, addingStyle(printStyle(job)), { frameId, timeout_ms: STYLE_MS });
  if (size === undefined || size.waits) await scrollThrough(opened, { clock, signal, within_ms: SCROLL_MS });
  return size ?? { elements: Infinity, waits: true };
}

interface Scope {
  job: RenderJob<'pdf'>;
  opened: Opened;
  tools: RenderTools;
}

/** The browser prints on where it takes longer, until its context is closed. */
async function printWithin(ms: number, sheet: Print, { job, opened, tools }: Scope): Promise<Uint8Array | NoFile | 'late'> {
  const { session, mainFrameId } = opened;
  const late = new Error('late');
  const work = (signal: AbortSignal): Promise<Uint8Array | NoFile> =>
    unlessAborted(signal, job.one_page ? printOnePage({ session, frameId: mainFrameId }, sheet) : print(session, sheet));
  try {
    return await within(tools.clock, ms, tools.signal, () => late, work);
  } catch (error) {
    if (error === late) return 'late';
    throw error;
  }
}

const tooLarge = (page: LoadedPage, seen: string) => nothing({ ...page, failure: failure('too_large', seen) });
