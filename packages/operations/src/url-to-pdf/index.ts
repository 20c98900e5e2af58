import { central, HttpUrl } from '../kit/index.ts';
import { shownUrl } from '@vedette/contract';
import { Type } from 'typebox';
import { PageParams, readPageLoad } from '../shared/pages/page-load.ts';
import { PageReport, pageReport } from '../shared/pages/page-report.ts';
import { PdfParams, printed, readPdfOptions } from '../shared/pages/pdf-options.ts';
import { RenderedDocument } from '../shared/pages/rendered-file.ts';
import { forBrowser } from '../shared/pages/url-parts.ts';

/** A PDF of a URL, as a browser prints it. */
export const urlToPdf = central({
  name: 'url-to-pdf',
  subject: 'rendering',
  summary: 'Render a web page as a PDF',
  description:
    'If the page cannot be opened, the report has an `error` and an empty file. The PDF has selectable text, embedded fonts and working links. docs/rendering.md explains loading and limits.',
  cost: 20,
  deadline_ms: 60_000,
  references: ['RFC 9110', 'ISO 216', 'ISO 32000'],
  request: Type.Object({ url: HttpUrl(), ...PageParams, ...PdfParams }, { additionalProperties: false }),
  response: Type.Object({
    url: Type.String({ description: 'URL from the request, with any password masked' }),
    rendered_file: RenderedDocument,
    ...PageReport,
  }),
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/', pdf_format: 'A5', pdf_page_ranges: '1' }],
  read(request, targets) {
    const page = readPageLoad(forBrowser(targets.url), request, {
      disable_fonts: false,
      dark_mode: false,
      emulate_media: request.emulate_media,
    });
    return { url: shownUrl(request.url), job: { page, ...readPdfOptions(request) } };
  },
  async run({ url, job }, { renderers, signal, today }) {
    const rendered = await renderers.render('pdf', job, { signal });
    return {
      url,
      rendered_file: printed(rendered, today()),
      ...(await pageReport(rendered.result.page, rendered.html, signal)),
    };
  },
});
