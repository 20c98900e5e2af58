import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';

/** A PDF of one page as a bookkeeping program writes it, with a link to pay by; smallest that readers open. */
export const pdf = (text: string): Buffer =>
  Buffer.from(
    `%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n` +
      `3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>\nendobj\n` +
      `4 0 obj\n<</Length ${text.length + 30}>>\nstream\nBT /F1 12 Tf 72 720 Td (${text}) Tj ET\nendstream\nendobj\n` +
      `trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n0\n%%EOF\n`,
    'latin1',
  );

/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A ZIP file of one file, encrypted with a password by the program that everybody has. */
export function encryptedZip(name: string, content: string, password: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-zip-'));
  try {
    writeFileSync(join(folder, name), content);
    return execFileSync('zip', ['-q', '-P', password, '-', name], { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A picture (PNG) of a QR code. */
export async function qrCode(text: string): Promise<Buffer> {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm');
  // Without this it would be fetched from the internet.
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer }, fireImmediately: true });
  const { image } = await writeBarcode(text, { format: 'QRCode', scale: 4 });
  return Buffer.from(await image!.arrayBuffer());
}
