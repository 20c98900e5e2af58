import { central, Defaulted, Flag } from '../kit/index.ts';
import { PAGE_MAX } from '@vedette/contract';
import { Type } from 'typebox';
import { FILE_BODY_MAX_BYTES } from '../shared/pages/base64-input.ts';
import { HtmlBase64, readHtml } from '../shared/pages/html-input.ts';
import { inputLoad } from '../shared/pages/page-load.ts';
import { PageFailure, whyNone } from '../shared/pages/page-report.ts';
import { RenderedImage, renderedFile } from '../shared/pages/rendered-file.ts';

/** A picture of HTML that the client brings, as high as its content. */
export const htmlToPng = central({
  name: 'html-to-png',
  subject: 'rendering',
  summary: 'Render HTML as an image',
  description:
    'Renders the HTML as a standalone page, with its scripts. Public resources of the page are fetched. The image is as high as the content, up to 15000 px. If the HTML leads to a page that fails to load, or exceeds the page limits, the report has an `error` and an empty file. docs/rendering.md has the details.',
  cost: 20,
  deadline_ms: 60_000,
  body_max_bytes: FILE_BODY_MAX_BYTES,
  request: Type.Object(
    {
      html_base64: HtmlBase64(),
      viewport_width: Defaulted(
        Type.Integer({ minimum: 1, maximum: PAGE_MAX.width, description: 'Width of the image in px', examples: [800] }),
        1920,
      ),
      omit_background: Flag(false, 'Leaves areas that the HTML does not paint transparent instead of white'),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ rendered_file: RenderedImage, ...PageFailure }),
  examples: [{ html_base64: 'PGgxPkhlbGxvPC9oMT4=', viewport_width: 120 }],
  read: ({ html_base64, viewport_width, omit_background }) => ({
    input: readHtml(html_base64),
    job: {
      page: inputLoad({ emulate_media: 'screen', viewport_width }),
      image_type: 'png' as const,
      full_page: true,
      auto_height: true,
      add_url_bar: false,
      omit_background,
      grayscale: false,
    },
  }),
  async run({ input, job }, { renderers, signal, today }) {
    const { result, file } = await renderers.render('screenshot', job, { input, signal });
    return {
      rendered_file: { ...renderedFile('PNG', file, today()), image_width: result.image_width, image_height: result.image_height },
      ...whyNone(result.page),
    };
  },
});
