export const PAPER_FORMATS = ['A4', 'Letter', 'Legal', 'Tabloid', 'Ledger', 'A0', 'A1', 'A2', 'A3', 'A5', 'A6'] as const;
type PaperFormat = (typeof PAPER_FORMATS)[number];

interface Size {
  width: number;
  height: number;
}

const PX_PER_INCH = 96;
const px = (width: number, height: number, perInch: number): Size => ({
  width: (width / perInch) * PX_PER_INCH,
  height: (height / perInch) * PX_PER_INCH,
});
const mm = (width: number, height: number): Size => px(width, height, 25.4);
const inches = (width: number, height: number): Size => px(width, height, 1);

/** ISO 216, and ANSI and North American paper, of which Ledger is Tabloid on its side. */
const FORMATS: { readonly [F in PaperFormat]: Size } = {
  A0: mm(841, 1189),
  A1: mm(594, 841),
  A2: mm(420, 594),
  A3: mm(297, 420),
  A4: mm(210, 297),
  A5: mm(148, 210),
  A6: mm(105, 148),
  Letter: inches(8.5, 11),
  Legal: inches(8.5, 14),
  Tabloid: inches(11, 17),
  Ledger: inches(17, 11),
};

/** A sheet of paper in CSS pixels, 96 to the inch. A side that is given is used as it is, 0 stands for the format's; in landscape the longer one is the width. */
export function paperOf({ width, height, format, landscape }: Size & { format: PaperFormat; landscape: boolean }): Size {
  const [w, h] = [width || FORMATS[format].width, height || FORMATS[format].height];
  return landscape && h > w ? { width: h, height: w } : { width: w, height: h };
}
