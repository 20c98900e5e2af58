import { ApiError, Enum, PAGE_MAX, PAPER_FORMATS, paperOf, type Rendered, type RenderJob } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { renderedFile } from './rendered-file.ts';

const MARGIN_MAX = 1_000;

/** How a page is printed. */
export const PdfParams = {
  emulate_media: Type.Optional(
    Enum(['screen', 'print'], {
      examples: ['print'],
      default: 'screen',
      description: "CSS media type: screen styles match the visitor's view; print styles often omit half of the page",
    }),
  ),
  pdf_papersize_width: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: PAGE_MAX.width,
      examples: [800],
      default: 0,
      description: 'Width of the paper in CSS px (96 per inch); 0 means the width of pdf_format',
    }),
  ),
  pdf_papersize_height: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: PAGE_MAX.height,
      examples: [600],
      default: 0,
      description: 'Height of the paper in CSS px (96 per inch); 0 means the height of pdf_format',
    }),
  ),
  pdf_format: Type.Optional(
    Enum(PAPER_FORMATS, { examples: ['Letter'], default: 'A4', description: 'Paper format; Ledger is 17 × 11 inches' }),
  ),
  pdf_margin: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MARGIN_MAX,
      examples: [40],
      default: 0,
      description: 'Margin on each side of the paper in CSS px; the page must keep some space',
    }),
  ),
  pdf_show_background: Type.Optional(
    Type.Boolean({ examples: [false], default: true, description: 'Prints background colours and images' }),
  ),
  pdf_landscape: Type.Optional(Type.Boolean({ examples: [true], default: false, description: 'Prints in landscape orientation' })),
  pdf_page_ranges: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Pages to keep, from 1: numbers and ranges separated by commas. Absent or empty: all',
      examples: ['1-3,5'],
    }),
  ),
  pdf_scale: Type.Optional(
    Type.Number({ minimum: 0.1, maximum: 2, examples: [0.8], default: 1, description: 'Scale of the page on the paper' }),
  ),
  pdf_one_page: Type.Optional(
    Type.Boolean({
      examples: [true],
      default: false,
      description: 'Prints everything on one page of the necessary height, scaled down above the maximum of 200 inches',
    }),
  ),
};

type PdfRequest = { readonly [F in keyof typeof PdfParams]?: Static<(typeof PdfParams)[F]> };

/** Narrower there is no room for anything, CSS pixels. */
const CONTENT_MIN = 10;
const PAGE_MAX_NUMBER = 10_000;

/** What a job of printing has beside its page. Throws `ApiError` invalid_parameter or parameter_conflict for what a schema cannot say. */
export function readPdfOptions(request: PdfRequest): Omit<RenderJob<'pdf'>, 'page'> {
  const page_ranges = readRanges(request.pdf_page_ranges ?? '');
  const one_page = request.pdf_one_page ?? false;
  if (one_page && page_ranges !== '')
    throw new ApiError('parameter_conflict', 'pdf_page_ranges and pdf_one_page', { param: 'pdf_page_ranges' });
  const paper = {
    width: request.pdf_papersize_width ?? 0,
    height: request.pdf_papersize_height ?? 0,
    format: request.pdf_format ?? 'A4',
    landscape: request.pdf_landscape ?? false,
  };
  const margin = request.pdf_margin ?? 0;
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
    show_background: request.pdf_show_background ?? true,
    page_ranges,
    scale: request.pdf_scale ?? 1,
    one_page,
  };
}

/** Ranges such as `1-3,5`, `-3` and `3-`, without blanks; empty for all pages. Throws `ApiError` invalid_parameter for what names no pages. */
function readRanges(text: string): string {
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
 * The report's file. Throws `ApiError` invalid_parameter where the document has none of the pages that were asked for: that is nothing that somebody
 * pays for.
 */
export function printed({ result, file }: Rendered<'pdf'>, now: Date) {
  if (result.pages === 0 && result.page.failure === undefined)
    throw new ApiError('invalid_parameter', 'pdf_page_ranges selects no page of the document', { param: 'pdf_page_ranges' });
  return renderedFile('PDF', file, now);
}
