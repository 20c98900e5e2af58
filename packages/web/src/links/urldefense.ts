import { base64Decoded, parameter, percentDecoded } from './rule.ts';

/** Lengths of runs are written as one character, from 2. */
const RUN_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const RUN_MIN = 2;
const V3 = /^\/v3\/__(.{1,8192}?)__;([\w+/=-]{0,8192}?)!/s;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The URL within one of Proofpoint's URL Defense, of any of its three versions. */
export function unwrapUrlDefense(url: URL): string | undefined {
  switch (/^\/v([123])\//.exec(url.pathname)?.[1]) {
    case '1':
      return unescaped(parameter(url, 'u'));
    case '2':
      return unescaped(percentDecoded((parameter(url, 'u') ?? '').replaceAll('-', '%').replaceAll('_', '/')));
    case '3':
      return unwrapV3(url);
    default:
      return undefined;
  }
}

/** They were rewritten where they stood in HTML. */
const unescaped = (text: string | undefined): string | undefined =>
  text?.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);

/**
 * The third version keeps the URL readable: `*` stands for the next of what follows in base64, `**` and a letter for a run of it. A run is counted in bytes (`**B` for
 * a dash of three); some count characters. Some mail programs fold the two slashes of the scheme into one.
 */
function unwrapV3(url: URL): string | undefined {
  const match = V3.exec(`${url.pathname}${url.search}${url.hash}`);
  if (!match) return undefined;
  const kept = percentDecoded(match[1]!).replace(/^([a-z][a-z0-9+.-]{0,20}:\/)([^/])/i, '$1/$2');
  const decoded = match[2] === '' ? '' : base64Decoded(match[2]!);
  if (decoded === undefined) return undefined;
  const filled = fill(latin1(kept), latin1(decoded).split(''));
  return filled === undefined ? fill(kept, Array.from(decoded)) : Buffer.from(filled, 'latin1').toString();
}

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

function fill(kept: string, pieces: readonly string[]): string | undefined {
  let next = 0;
  const take = (length: number): string => pieces.slice(next, (next += length)).join('');
  const written = kept.replace(/\*(?:\*(.))?/gs, (token, run: string | undefined) => {
    if (run === undefined) return take(1);
    const length = RUN_LENGTHS.indexOf(run);
    return length < 0 ? token : take(length + RUN_MIN);
  });
  // The number of pieces must fit the places; otherwise the link was cut off, or is not from this service.
  return next === pieces.length ? written : undefined;
}
