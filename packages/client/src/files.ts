const TYPES: Readonly<Record<string, string>> = {
  PNG: 'image/png',
  JPEG: 'image/jpeg',
  WEBP: 'image/webp',
  AVIF: 'image/avif',
  PDF: 'application/pdf',
};

/** The file of a report, such as `report.rendered_file`; undefined if there was no page to render. */
export function blobOf({ base64_file, format }: { base64_file: string; format: string }): Blob | undefined {
  if (base64_file === '') return undefined;
  const bytes = Uint8Array.from(atob(base64_file), (letter) => letter.charCodeAt(0));
  return new Blob([bytes], { type: TYPES[format] ?? 'application/octet-stream' });
}

/** A file for the body of a request, such as `eml_base64`. */
export async function base64Of(file: Blob | Uint8Array): Promise<string> {
  const bytes = file instanceof Uint8Array ? file : new Uint8Array(await file.arrayBuffer());
  let text = '';
  // A call has room for so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}
