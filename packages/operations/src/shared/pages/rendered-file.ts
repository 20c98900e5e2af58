import { Base64File, FileBytes } from '../../kit/index.ts';
import { Type } from 'typebox';

const FILE = {
  format: Type.String({ description: 'File format: PNG, JPEG, WEBP, AVIF or PDF' }),
  date_time_utc: Type.String({ description: 'Time of rendering, YYYY-MM-DD HH:MM:SS in UTC' }),
  base64_file: Base64File('File in base64; empty if there was no page to render'),
  file_size_readable: Type.String({ description: 'File size for people, such as 312.5 KB' }),
  file_size_bytes: Type.Integer({ description: 'File size in bytes, before base64; 0 if there was no page to render' }),
};

/** `rendered_file` of what has pages. */
export const RenderedDocument = Type.Object(FILE, { title: 'RenderedDocument', description: 'Rendered file' });
/** `rendered_file` of a picture. */
export const RenderedImage = Type.Object(
  {
    ...RenderedDocument.properties,
    image_width: Type.Integer({ description: 'Width of the image in px; 0 if there was no page to render' }),
    image_height: Type.Integer({ description: 'Height of the image in px; 0 if there was no page to render' }),
  },
  { title: 'RenderedImage', description: 'Rendered image' },
);

/** The fields that all rendered files have. */
export const renderedFile = (format: string, file: Uint8Array, now: Date) => ({
  format,
  date_time_utc: now.toISOString().slice(0, 19).replace('T', ' '),
  base64_file: new FileBytes(file),
  file_size_readable: readableSize(file.byteLength),
  file_size_bytes: file.byteLength,
});

const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** Bytes for people, 1 KB = 1,024 bytes: `0 B`, `312.5 KB`, `1.2 MB`. */
export function readableSize(bytes: number): string {
  let [size, unit] = [bytes, 0];
  // A value that would be rounded to 1024.0 is one of the next unit.
  while (Math.round(size * 10) / 10 >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]!}`;
}
