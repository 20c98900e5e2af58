import { central, HttpUrl, Defaulted, Flag } from '../kit/index.ts';
import { DEVICES, Enum, IMAGE_TYPES, PAGE_MAX, shownUrl } from '@vedette/contract';
import { Type } from 'typebox';
import { PageParams, readPageLoad } from '../shared/pages/page-load.ts';
import { PageReport, pageReport } from '../shared/pages/page-report.ts';
import { RenderedImage, renderedFile } from '../shared/pages/rendered-file.ts';
import { forBrowser } from '../shared/pages/url-parts.ts';

/** It has no `default`: with one, a request for the device's own size could not be told apart. */
const side = (maximum: number, usual: number, what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      description: `${what} of the browser window in CSS px; ${usual} by default, or the size of \`emulate_device\``,
      examples: [usual / 2],
    }),
  );

const ImageParams = {
  viewport_width: side(PAGE_MAX.width, 1920, 'Width'),
  viewport_height: side(PAGE_MAX.height, 1080, 'Height'),
  image_type: Defaulted(Enum(IMAGE_TYPES, { description: 'Format of the image', examples: ['webp'] }), 'png'),
  full_page: Flag(false, 'Captures the whole page, including content loaded by scrolling, up to 15000 px of the image'),
  image_width: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_MAX.width,
      description:
        'Width of a thumbnail in px. Alone, proportions are kept; with image_height, the image fills both and the excess is cropped at the bottom or both sides',
      examples: [400],
    }),
  ),
  image_height: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_MAX.height, description: 'Height of a thumbnail in px; see image_width', examples: [300] }),
  ),
  add_url_bar: Flag(false, 'Shows an address bar with the final URL above the page, which adds to the height'),
  disable_fonts: Flag(false, 'Blocks the fonts of the page'),
  omit_background: Flag(false, 'Leaves areas that the page does not paint transparent instead of white; JPEG stays white'),
  grayscale: Flag(false, 'Converts the image to shades of grey'),
  emulate_device: Type.Optional(
    Enum(DEVICES, {
      description: 'Emulates the screen, touch input and browser of a device; viewport_width and viewport_height override its size',
      examples: ['iphone13'],
    }),
  ),
  dark_mode: Flag(false, 'Tells the page that the user prefers a dark colour scheme'),
};

/** A picture of a URL, as a browser shows it. */
export const screenshot = central({
  name: 'screenshot',
  subject: 'rendering',
  summary: 'Take a screenshot of a web page',
  description:
    'If the page cannot be opened, the report has an `error` and an empty file. Pages with an invalid certificate are rendered, unless the request has credentials or a header. Secrets are never sent to an unverified server. docs/rendering.md explains loading, the blocking of ads and consent banners, and the limits.',
  cost: 20,
  deadline_ms: 60_000,
  references: ['RFC 9110'],
  request: Type.Object({ url: HttpUrl(), ...PageParams, ...ImageParams }, { additionalProperties: false }),
  response: Type.Object({
    url: Type.String({ description: 'URL from the request, with any password masked' }),
    rendered_file: RenderedImage,
    ...PageReport,
  }),
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/', image_type: 'webp', image_width: 160 }],
  read(request, targets) {
    const { image_width, image_height, emulate_device } = request;
    return {
      url: shownUrl(request.url),
      job: {
        page: readPageLoad(forBrowser(targets.url), request, {
          disable_fonts: request.disable_fonts,
          dark_mode: request.dark_mode,
          emulate_media: 'screen',
          ...(emulate_device !== undefined && { emulate_device }),
        }),
        image_type: request.image_type,
        full_page: request.full_page,
        auto_height: false,
        ...(image_width !== undefined && { image_width }),
        ...(image_height !== undefined && { image_height }),
        add_url_bar: request.add_url_bar,
        omit_background: request.omit_background,
        grayscale: request.grayscale,
      },
    };
  },
  async run({ url, job }, { renderers, signal, today }) {
    const { result, file, html } = await renderers.render('screenshot', job, { signal });
    const { page, image_width, image_height } = result;
    return {
      url,
      rendered_file: { ...renderedFile(job.image_type.toUpperCase(), file, today()), image_width, image_height },
      ...(await pageReport(page, html, signal)),
    };
  },
});
