import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';

const program = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(program).buffer } });

interface Options {
  format?: 'QRCode' | 'MicroQRCode' | 'RMQRCode';
  scale?: number;
  level?: string;
  margin?: boolean;
}

const write = (text: string, { format = 'QRCode', scale = 4, level = 'M', margin = true }: Options = {}) =>
  writeBarcode(text, { format, scale, addQuietZones: margin, ...(format !== 'RMQRCode' && { options: `ecLevel=${level}` }) });

/** A code as PNG. */
export const codePng = async (text: string, options?: Options): Promise<Buffer> => {
  const { image, error } = await write(text, options);
  if (!image) throw new Error(error);
  return Buffer.from(await image.arrayBuffer());
};

export const codeSvg = async (text: string): Promise<string> => (await write(text)).svg;

/** A code as a terminal shows it: `█`, `▀`, `▄`. */
export const codeText = async (text: string): Promise<string> => (await write(text)).utf8;

/** The modules of a code, row by row: true where one is dark. */
export async function modulesOf(text: string, level = 'M'): Promise<boolean[][]> {
  const { symbol } = await write(text, { scale: 1, margin: false, level });
  const { width, height, data } = symbol;
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => data[y * width + x]! < 128));
}

/** A page that draws black squares: the content of a PDF without a picture. */
export function codePdf(pages: readonly (readonly (readonly boolean[])[])[]): Buffer {
  const objects: string[] = [];
  const kids = pages.map((_, at) => `${3 + at * 2} 0 R`).join(' ');
  objects.push('<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  pages.forEach((rows, at) => {
    const drawn = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`${100 + x * 4} ${600 - y * 4} 4 4 re f`] : []))).join('\n');
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${4 + at * 2} 0 R >>`,
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    );
  });
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xref = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${xref}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n`;
  return Buffer.from(`${text}${text.indexOf('xref\n')}\n%%EOF\n`);
}
