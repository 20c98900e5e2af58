import { ApiError, Enum, PAGE_MAX, PAPER_FORMATS, paperOf, type Rendered, type RenderJob } from '@vedette/contract';
import { Defaulted, type Filled, Flag } from '../../kit/index.ts';
import { type TObject, Type } from 'typebox';
import { renderedFile } from './rendered-file.ts';

const MARGIN_MAX = 1_000;

/** How a page is printed. */
export const PdfParams = {
  emulate_media: Defaulted(
    Enum(['screen', 'print'], {
      examples: ['print'],
      description: "CSS media type: screen styles match the visitor's view; print styles often omit half of the page",
    }),
    'screen',
  ),
  pdf_papersize_width: Defaulted(
    Type.Integer({
      minimum: 0,
      maximum: PAGE_MAX.width,
      examples: [800],
      description: 'Width of the paper in CSS px (96 per inch); 0 means the width of pdf_format',
    }),
    0,
  ),
  pdf_papersize_height: Defaulted(
    Type.Integer({
      minimum: 0,
      maximum: PAGE_MAX.height,
      examples: [600],
      description: 'Height of the paper in CSS px (96 per inch); 0 means the height of pdf_format',
    }),
    0,
  ),
  pdf_format: Defaulted(Enum(PAPER_FORMATS, { examples: ['Letter'], description: 'Paper format; Ledger is 17 × 11 inches' }), 'A4'),
  pdf_margin: Defaulted(
    Type.Integer({
      minimum: 0,
      maximum: MARGIN_MAX,
      examples: [40],
      description: 'Margin on each side of the paper in CSS px; the page must keep some space',
    }),
    0,
  ),
  pdf_show_background: Flag(true, 'Prints background colours and images'),
  pdf_landscape: Flag(false, 'Prints in landscape orientation'),
  pdf_page_ranges: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Pages to keep, from 1: numbers and ranges separated by commas. Absent or empty: all',
      examples: ['1-3,5'],
    }),
  ),
  pdf_scale: Defaulted(Type.Number({ minimum: 0.1, maximum: 2, examples: [0.8], description: 'Scale of the page on the paper' }), 1),
  pdf_one_page: Flag(false, 'Prints everything on one page of the necessary height, scaled down above the maximum of 200 inches'),
};

type PdfRequest = Filled<TObject<typeof PdfParams>>;

/** The least width with room for any content, CSS pixels. */
const CONTENT_MIN = 10;
const PAGE_MAX_NUMBER = 10_000;

/** The options of a print job besides its page. Throws `ApiError` invalid_parameter or parameter_conflict for what a schema cannot say. */
export function readPdfOptions(request: PdfRequest): Omit<RenderJob<'pdf'>, 'page'> {
  const page_ranges = readRanges(request.pdf_page_ranges);
  const { pdf_margin: margin, pdf_one_page: one_page } = request;
  if (one_page && page_ranges !== '')
    throw new ApiError('parameter_conflict', 'pdf_page_ranges and pdf_one_page', { param: 'pdf_page_ranges' });
  const paper = {
    width: request.pdf_papersize_width,
    height: request.pdf_papersize_height,
    format: request.pdf_format,
    landscape: request.pdf_landscape,
  };
  const { width, height } = paperOf(paper);
  if (Math.min(width, height) < 2 * margin + CONTENT_MIN)
    throw new ApiError(
      'parameter_conflict',
      `pdf_margin ${margin} leaves no room on a paper of ${Math.floor(width)} × ${Math.floor(height)} px`,
      {
        param: 'pdf_margin',
      },
    );
  return {
    ...paper,
    margin,
    show_background: request.pdf_show_background,
    page_ranges,
    scale: request.pdf_scale,
    one_page,
  };
}

/** Ranges such as `1-3,5`, `-3` and `3-`, without blanks; empty for all pages. Throws `ApiError` invalid_parameter for what names no pages. */
function readRanges(text = ''): string {
  if (text.trim() === '') return '';
  const ranges = text.split(',').map((range) => range.trim());
  for (const range of ranges) {
    const [, from = '', dash = '', to = ''] = /^(\d*)\s*(-?)\s*(\d*)$/.exec(range) ?? [];
    const [first, last] = [Number(from || 1), Number(to || PAGE_MAX_NUMBER)];
    const isNumber = from !== '' && dash === '' && to === '';
    const isRange = dash === '-' && (from !== '' || to !== '') && first <= last;
    if (!(isNumber || isRange) || first < 1 || first > PAGE_MAX_NUMBER || last > PAGE_MAX_NUMBER)
      throw new ApiError('invalid_parameter', 'pdf_page_ranges must be page numbers from 1 to 10000 and ranges of them, such as 1-3,5', {
        param: 'pdf_page_ranges',
      });
  }
  return ranges.map((range) => range.replaceAll(/\s+/g, '')).join(',');
}

/**
 * The report's file. Throws `ApiError` invalid_parameter when the document has none of the requested pages, so that the request is free.
 */
export function printed({ result, file }: Rendered<'pdf'>, now: Date) {
  if (result.pages === 0 && result.page.failure === undefined)
    throw new ApiError('invalid_parameter', 'pdf_page_ranges selects no page of the document', { param: 'pdf_page_ranges' });
  return renderedFile('PDF', file, now);
}
