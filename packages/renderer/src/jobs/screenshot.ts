import { type LoadedPage, PAGE_MAX, type RenderJob } from '@vedette/contract';
import { captureDocument, captureWindow, type Piece } from '../image/capture.ts';
import { contentHeight, layOutWhole } from '../image/full-page.ts';
import { makePicture } from '../image/picture.ts';
import { urlBar } from '../image/url-bar.ts';
import { htmlOf } from '../page/html-of.ts';
import { openForPicture, type Opened } from '../page/open-page.ts';
import { defineRender, type RenderTools } from './render.ts';

/** The time for laying out a whole page, scrolled through once; capturing and encoding it takes the rest. */
const WHOLE_MS = 9_000;
/** The largest page that may be asked for, drawn without a scale. */
const PICTURE_MAX_PX = PAGE_MAX.width * PAGE_MAX.fullHeight;
const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };

const nothing = (page: LoadedPage) => ({ page, image_width: 0, image_height: 0 });

/** A picture of a page, or of HTML. */
export const screenshot = defineRender({
  kind: 'screenshot',
  nothing,
  async run(job, tools) {
    const opened = await openForPicture(job.page, tools);
    const { loaded, session } = opened;
    if (loaded.failure !== undefined) return { result: nothing(loaded) };
    if (job.omit_background) await session.send('Emulation.setDefaultBackgroundColorOverride', { color: TRANSPARENT });
    // The HTML is that of the page before we scrolled through it.
    const html = await htmlOf(tools.page);
    const pieces = await capture(job, opened, tools);
    const bar = job.add_url_bar ? [await urlBar(opened, pieces[0]!)] : [];
    const { file, width, height } = await makePicture([...bar, ...pieces], job);
    return { result: { page: loaded, image_width: width, image_height: height }, file, html };
  },
});

async function capture(job: RenderJob<'screenshot'>, opened: Opened, { clock, signal }: RenderTools): Promise<Piece[]> {
  const { session, mainFrameId, device } = opened;
  if (!job.full_page && !job.auto_height) return await captureWindow(session);
  const { x, width, height, scale } = await layOutWhole(opened, { clock, signal, within_ms: WHOLE_MS });
  const wanted = job.auto_height ? Math.max(await contentHeight(session, mainFrameId), height > device.height ? height : 0) : height;
  // A high page on a fine screen is shown whole, and less fine.
  const most = Math.sqrt(PICTURE_MAX_PX / (width * wanted));
  const picture = Math.min(1, PAGE_MAX.fullHeight / (wanted * scale), most / scale);
  return await captureDocument(session, { x, width, height: wanted }, { screen: scale, picture });
}
