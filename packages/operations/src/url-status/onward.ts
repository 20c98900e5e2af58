import type { CentralContext } from '../kit/index.ts';
import { failure, type ParsedUrl, ProbeFailure } from '@vedette/contract';
import { followable, type PageDocument, refreshTarget, siteRedirect } from '@vedette/web/page';
import { type ChainEnd, REDIRECT_TYPES, redirectInfo, type RedirectType } from '@vedette/web/redirects';
import { headerValues, type Onward, type PageAnswer } from '@vedette/probes/http';
import type { Following } from './query.ts';
import { refusal } from './visiting.ts';

/** The target of an answer that is not a redirect by its status: of several, the first one to follow, else the first. */
export async function onwardOf(
  answer: PageAnswer,
  document: PageDocument | undefined,
  follow: Following,
  signal: AbortSignal,
): Promise<Onward | undefined> {
  const { url, head, text } = answer;
  const refresh = headerValues(head, 'refresh')[0];
  const ways: { type: RedirectType; url: string | undefined }[] = [
    { type: 'refresh_header', url: refresh && refreshTarget(refresh, url) },
    { type: 'meta_refresh', url: document?.refresh && followable(document.refresh, url) },
    { type: 'custom', url: await siteRedirect(url, text, signal) },
  ];
  const found = ways.flatMap(({ type, url: to }) => (to ? [{ type, url: to }] : []));
  return found.find(({ type }) => isWanted(type, follow)) ?? found[0];
}

/** How a visit calls the way by which it goes on; it knows no other than these. */
export const typeOf = (type: string): RedirectType => REDIRECT_TYPES.find((known) => known === type) ?? '';

function isWanted(type: RedirectType, { meta, header, custom }: Following): boolean {
  return { location: true, refresh_header: header, meta_refresh: meta, custom, '': false }[type];
}

/** Why a redirect is not followed; undefined where it is. */
export function stopBefore(
  { from, url, target, type }: Onward & { from: string; target: ParsedUrl | undefined },
  follow: Following,
  context: Pick<CentralContext, 'isDenied' | 'dialler'>,
): ChainEnd | undefined {
  const isToBeFollowed =
    follow.redirects && isWanted(typeOf(type), follow) && (follow.external || !redirectInfo(from, url).external_redirect);
  if (!isToBeFollowed) return { kind: 'switched_off' };
  const why = refusedFor(target, context);
  return why === undefined ? undefined : { kind: 'refused', why };
}

/** Why a URL may not be requested, as far as the URL itself tells; undefined where it may. */
function refusedFor(
  target: ParsedUrl | undefined,
  { isDenied, dialler }: Pick<CentralContext, 'isDenied' | 'dialler'>,
): string | undefined {
  if (!target) return 'only http and https URLs are';
  try {
    refusal({ isDenied })(target.host);
  } catch (error) {
    if (error instanceof ProbeFailure) return error.message;
    throw error;
  }
  const isInner = target.kind !== 'name' && !dialler.policy.judge(target.host, target.port).allowed;
  return isInner ? failure('blocked_private_address', target.host).error : undefined;
}
