import { ApiError } from '@vedette/contract';
import { faviconHash } from '@vedette/web/images';
import { iconWanted, type SiteEvidence } from '@vedette/web/site';
import type { CentralContext } from '../kit/index.ts';
import { visited } from '../shared/pages/visited.ts';

const ICON_MAX_BYTES = 256 * 1024;
const ICON_MS = 2_500;

/** Adds the icon to evidence that would be poor without it, by one request. Faults of its server say nothing. */
export async function withIcon(evidence: SiteEvidence, context: CentralContext): Promise<SiteEvidence> {
  const url = iconWanted(evidence);
  if (url === '') return evidence;
  const options = { url, maxBytes: ICON_MAX_BYTES, maxRedirects: 0, hop_ms: ICON_MS, total_ms: ICON_MS, protocol: 'any' } as const;
  const visit = await visited(options, context).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
  const { body, truncated, broken } = visit?.page ?? { body: new Uint8Array(), truncated: false, broken: false };
  const isWhole = visit?.hops.at(-1)?.head?.status === 200 && body.length > 0 && !truncated && !broken;
  return isWhole ? { ...evidence, icon: faviconHash(body) } : evidence;
}
