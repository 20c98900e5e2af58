import type { Subject } from '../subject/index.ts';

/** The API takes 8 MB of JSON; Base64 makes four octets of three. */
const MAX_BYTES = 5_900_000;

/** A file's octets in Base64. Throws, in words for people, where it is too large. */
export function base64Of(file: File): Promise<string> {
  if (file.size > MAX_BYTES) return Promise.reject(new Error(`The file has ${(file.size / 1e6).toFixed(1)} MB; the API takes 5.9 MB`));
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(new Error('The file cannot be read')));
    reader.readAsDataURL(file);
  });
}

/** The kind of a file, by its type and name. */
export function kindOf({ type, name }: File): Subject['kind'] {
  if (type.startsWith('image/') || /\.(png|jpe?g|gif|bmp|webp|svg|pdf)$/i.test(name)) return 'image_base64';
  return type === 'text/html' || /\.html?$/i.test(name) ? 'html_base64' : 'eml_base64';
}
