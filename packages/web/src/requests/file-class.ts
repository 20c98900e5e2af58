export type FileClass = 'html' | 'image' | 'javascript' | 'css' | 'font';

const BY_TYPE: Readonly<Record<string, FileClass>> = { image: 'image', stylesheet: 'css', script: 'javascript', font: 'font' };

/** Media types without their parameters, first match wins. */
const BY_MEDIA_TYPE: readonly (readonly [RegExp, FileClass])[] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^image\//, 'image'],
  [/^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script|application\/node|text\/jscript)$/, 'javascript'],
  [/^text\/css$/, 'css'],
  [/^(?:font\/|application\/(?:x-)?font-|application\/vnd\.ms-fontobject$)/, 'font'],
];
const BY_EXTENSION: Readonly<Record<FileClass, readonly string[]>> = {
  html: ['html', 'htm', 'xhtml'],
  image: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg', 'ico', 'bmp', 'apng'],
  javascript: ['js', 'mjs', 'cjs'],
  css: ['css'],
  font: ['woff', 'woff2', 'ttf', 'otf', 'eot'],
};
/** Media types that servers send for files of an unknown kind. */
const NO_TYPE = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

export interface Answered {
  url: string;
  resource_type: string;
  status_code: number;
  content_type: string;
}

/**
 * The kind of file in an answer: by the type that the page requested, then by its media type, then by its name. Undefined for other kinds,
 * and without a file: no answer, a redirect, a preflight.
 */
export function fileClass({ url, resource_type, status_code, content_type }: Answered): FileClass | undefined {
  if (status_code < 200 || (status_code >= 300 && status_code < 400) || resource_type === 'preflight') return undefined;
  const mediaType = content_type.split(';', 1)[0]!.trim().toLowerCase();
  // Instead of what was asked for, a server that has it not sends a page about that.
  const byRequest = status_code < 300 ? BY_TYPE[resource_type] : undefined;
  if (byRequest !== undefined) return byRequest;
  const byMediaType = BY_MEDIA_TYPE.find(([pattern]) => pattern.test(mediaType))?.[1];
  if (byMediaType !== undefined || !NO_TYPE.has(mediaType)) return byMediaType;
  if (resource_type === 'document') return 'html';
  const extension = /\.([a-z0-9]{2,5})$/.exec(new URL(url).pathname.toLowerCase())?.[1];
  return (Object.keys(BY_EXTENSION) as FileClass[]).find((kind) => extension !== undefined && BY_EXTENSION[kind].includes(extension));
}
