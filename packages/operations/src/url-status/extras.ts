import { createHash } from 'node:crypto';
import { shownUrl } from '@vedette/contract';
import type { CentralContext } from '../kit/index.ts';
import { faviconHash, imageSize } from '@vedette/web/images';
import type { PageDocument } from '@vedette/web/page';
import { headerValues, ProxyFailure } from '@vedette/probes/http';
import type { UrlStatusQuery } from './query.ts';
import { visit } from './visiting.ts';

const FILE_MAX_BYTES = 2 * 1024 * 1024;
const FILE_REDIRECTS_MAX = 3;
const FILE_MS = 4_000;
/** Icons that are asked for: the first that the page has declared, and where browsers look without being told to. */
const ICONS_MAX = 2;

interface File {
  url: string;
  status_code: number;
  content_type: string;
  bytes: Uint8Array;
}

const NO_FILE: File = { url: '', status_code: 0, content_type: '', bytes: new Uint8Array() };

/** The icon of a page that has declared these. Faults of its server do not concern the report: the icon is then missing. */
export async function faviconDetails(icons: readonly string[], query: UrlStatusQuery, context: CentralContext) {
  let file = NO_FILE;
  for (const url of new Set([...icons.slice(0, ICONS_MAX - 1), ...icons.slice(-1)])) {
    file = await fetchFile(url, query, context);
    if (file.status_code === 200 && file.bytes.length > 0) break;
  }
  const { bytes, ...rest } = file;
  // An error page in place of an icon is ignored: its hash would match unrelated sites.
  const isThere = rest.status_code === 200 && bytes.length > 0;
  return {
    ...rest,
    size_bytes: bytes.length,
    md5: isThere ? createHash('md5').update(bytes).digest('hex') : '',
    mmh3: isThere ? faviconHash(bytes) : 0,
  };
}

/** The Open Graph image of a page. */
export async function ogImageDetails(document: PageDocument | undefined, query: UrlStatusQuery, context: CentralContext) {
  const url = document?.ogImage ?? '';
  const { bytes, ...rest } = url === '' ? NO_FILE : await fetchFile(url, query, context);
  const { width, height } = imageSize(bytes) ?? { width: 0, height: 0 };
  return { ...rest, size_bytes: bytes.length, width, height };
}

async function fetchFile(url: string, query: UrlStatusQuery, context: CentralContext): Promise<File> {
  const options = { url, maxBytes: FILE_MAX_BYTES, maxRedirects: FILE_REDIRECTS_MAX, hop_ms: FILE_MS, total_ms: FILE_MS };
  const visited = await visit(query, context, options).catch(unlessOfProxy);
  if (!visited) return { ...NO_FILE, url: shownUrl(url) };
  const { hops, page } = visited;
  const last = hops.at(-1)!;
  return {
    url: shownUrl(last.url),
    status_code: last.head?.status ?? 0,
    content_type: last.head ? (headerValues(last.head, 'content-type')[0] ?? '') : '',
    bytes: page.body,
  };
}

function unlessOfProxy(error: unknown): undefined {
  if (!(error instanceof ProxyFailure)) throw error;
}
