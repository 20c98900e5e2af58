import type { ParsedUrl } from '@vedette/contract';
import type { CentralContext } from '../kit/index.ts';
import { refusedTarget } from '../shared/names/refused-target.ts';
import { visited } from '../shared/pages/visited.ts';

const PICTURE_MAX_BYTES = 5 * 1024 * 1024;
const REDIRECTS_MAX = 5;
const HOP_MS = 8_000;
const TOTAL_MS = 15_000;

/** A picture, or why it is missing. */
export interface Picture {
  bytes: Uint8Array;
  error: string;
}

/** Fetches a picture over redirects. A fault of its server is data. Throws `ApiError` for a host that may not be contacted, and where this machine has no way out. */
export async function fetchPicture({ url, fragment, basic, host }: ParsedUrl, context: CentralContext): Promise<Picture> {
  const limits = { maxBytes: PICTURE_MAX_BYTES, maxRedirects: REDIRECTS_MAX, hop_ms: HOP_MS, total_ms: TOTAL_MS };
  const { hops, page, end } = await visited({ url: `${url.href}${fragment}`, basic, protocol: 'any', ...limits }, context);
  const { failure: first } = hops[0]!;
  if (first?.code === 'blocked_policy' || first?.code === 'blocked_private_address')
    throw await refusedTarget(first, host, context, 'image_url');
  const { head, failure } = hops.at(-1)!;
  const error = problem();
  return { bytes: error === '' ? page.body : new Uint8Array(), error };

  function problem(): string {
    if (failure) return failure.message;
    if (end !== 'page') return 'the redirects lead to no answer';
    if (head?.status !== 200) return `the server answered with status ${head?.status ?? 0}`;
    if (page.broken) return 'the answer cannot be unpacked';
    if (page.truncated) return 'the picture is larger than 5 MB, or did not arrive in time';
    return page.body.length === 0 ? 'the answer is empty' : '';
  }
}
