import type { CDPSession, Protocol } from 'puppeteer-core';

const PX_PER_INCH = 96;
/** Larger ones are given up. */
const FILE_MAX_BYTES = 50 * 1024 * 1024;
const CHUNK_BYTES = 4 * 1024 * 1024;

/** One print, in CSS pixels. */
export interface Print {
  width: number;
  height: number;
  margin: number;
  scale: number;
  background: boolean;
  /** Empty: all. */
  ranges: string;
  tagged: boolean;
}

/** The reason for a missing file: it is too large, or the document has none of the requested pages. */
export type NoFile = 'too_large' | 'no_such_page';

/** Prints the page as it is. Rejects where the browser fails. */
export async function print(session: CDPSession, sheet: Print): Promise<Uint8Array | NoFile> {
  const margin = sheet.margin / PX_PER_INCH;
  const printing: Promise<Protocol.Page.PrintToPDFResponse | NoFile> = session.send(
    'Page.printToPDF',
    {
      paperWidth: sheet.width / PX_PER_INCH,
      paperHeight: sheet.height / PX_PER_INCH,
      marginTop: margin,
      marginBottom: margin,
      marginLeft: margin,
      marginRight: margin,
      scale: sheet.scale,
      printBackground: sheet.background,
      pageRanges: sheet.ranges,
      generateTaggedPDF: sheet.tagged,
      preferCSSPageSize: false,
      transferMode: 'ReturnAsStream',
    },
    { timeout: 0 },
  );
  const printed = await printing.catch((error: Error): NoFile => {
    if (/Page range exceeds page count/.test(error.message)) return 'no_such_page';
    throw error;
  });
  return typeof printed === 'string' ? printed : await readStream(session, printed.stream ?? '');
}

async function readStream(session: CDPSession, handle: string): Promise<Uint8Array | NoFile> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await session.send('IO.read', { handle, size: CHUNK_BYTES });
      const chunk = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
      bytes += chunk.length;
      if (bytes > FILE_MAX_BYTES) return 'too_large';
      chunks.push(chunk);
      if (eof) return Buffer.concat(chunks);
    }
  } finally {
    await session.send('IO.close', { handle }).catch(() => undefined); // the browser is gone, and the stream with it
  }
}
