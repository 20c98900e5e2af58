import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { saveAddress } from '../look/save.ts';
import { isObject, type Members as Object_ } from './shape.ts';

/** Formats that a page may show, by the API's word; any other is only saved. */
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  pdf: 'application/pdf',
};

const isText = (value: unknown): value is string => typeof value === 'string';

/** A rendered file: `format` and its octets as `base64_file`. */
export const isFile = (value: unknown): value is Object_ => isObject(value) && isText(value['base64_file']) && isText(value['format']);

/** The file as a picture or a document, with a button that saves it. Octets of pictures are made a blob: no scheme of theirs is obeyed. */
export function File({ value, children }: { value: Object_; children: ComponentChildren }): JSX.Element {
  const format = String(value['format']).toLowerCase();
  const base64 = String(value['base64_file']);
  const type = Object.hasOwn(TYPES, format) ? TYPES[format]! : 'application/octet-stream';
  const [address, setAddress] = useState('');
  useEffect(() => {
    let blob: Blob;
    try {
      blob = new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], { type });
    } catch {
      return undefined; // no Base64: there is nothing to show
    }
    const url = URL.createObjectURL(blob);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [base64, type]);
  const save = (): void => saveAddress(address, `vedette.${Object.hasOwn(TYPES, format) ? format : 'bin'}`);
  return (
    <div class="file">
      {address !== '' && type.startsWith('image/') && <img src={address} alt="What was rendered" />}
      {address !== '' && type === 'application/pdf' && <iframe src={address} title="The document" />}
      <p>
        <button type="button" disabled={address === ''} onClick={save}>
          Save the file
        </button>
      </p>
      {children}
    </div>
  );
}
