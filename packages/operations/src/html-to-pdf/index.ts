import { central } from '../kit/index.ts';
import { Type } from 'typebox';
import { FILE_BODY_MAX_BYTES } from '../shared/pages/base64-input.ts';
import { HtmlBase64, readHtml } from '../shared/pages/html-input.ts';
import { inputLoad } from '../shared/pages/page-load.ts';
import { PageFailure, whyNone } from '../shared/pages/page-report.ts';
import { PdfParams, printed, readPdfOptions } from '../shared/pages/pdf-options.ts';
import { RenderedDocument } from '../shared/pages/rendered-file.ts';

/** A PDF of HTML that the client brings. */
export const htmlToPdf = central({
  name: 'html-to-pdf',
  subject: 'rendering',
  summary: 'Render HTML as a PDF',
  description:
    'Prints the HTML as a standalone page, with its scripts. Public resources of the page are fetched. The PDF has selectable text and embedded fonts. If the HTML leads to a page that fails to load, or exceeds the page limits, the report has an `error` and an empty file. docs/rendering.md has the details.',
  cost: 20,
  deadline_ms: 60_000,
  body_max_bytes: FILE_BODY_MAX_BYTES,
  references: ['ISO 216', 'ISO 32000'],
  request: Type.Object({ html_base64: HtmlBase64(), ...PdfParams }, { additionalProperties: false }),
  response: Type.Object({ rendered_file: RenderedDocument, ...PageFailure }),
  examples: [{ html_base64: 'PGgxPkhlbGxvPC9oMT4=', pdf_format: 'A6' }],
  read: ({ html_base64, ...request }) => ({
    input: readHtml(html_base64),
    job: { page: inputLoad({ emulate_media: request.emulate_media }), ...readPdfOptions(request) },
  }),
  async run({ input, job }, { renderers, signal, today }) {
    const rendered = await renderers.render('pdf', job, { input, signal });
    return { rendered_file: printed(rendered, today()), ...whyNone(rendered.result.page) };
  },
});
