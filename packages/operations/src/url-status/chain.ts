import type { CentralContext } from '../kit/index.ts';
import { type PageDocument, readDocument } from '@vedette/web/page';
import type { ChainEnd } from '@vedette/web/redirects';
import { type Hop, type HttpHead, NO_PAGE, type Page, type Visit } from '@vedette/probes/http';
import { looksLikeHtml } from '../shared/pages/looks-like-html.ts';
import { refusedTarget } from '../shared/names/refused-target.ts';
import { onwardOf, stopBefore } from './onward.ts';
import type { UrlStatusQuery } from './query.ts';
import { visitThrough } from './visiting.ts';

/** The most bytes that are read of a page, as transferred and unpacked. */
const PAGE_MAX_BYTES = 2 * 1024 * 1024;
/** A URL has so long for its answer once its connection stands. */
const ANSWER_MS = 10_000;
/** A chain's share of the 60 s: afterwards what the final page refers to is fetched, and issuers are asked. */
const CHAIN_MS = 45_000;

/** A chain as it was followed. */
export interface Chain {
  /** At least one. */
  hops: readonly Hop[];
  end: ChainEnd;
  /** The body of the last hop; empty when it is unknown. */
  page: Page;
  /** The same as a document; undefined for other types. */
  document: PageDocument | undefined;
}

/**
 * Follows what the query wants followed. Rejects with `ApiError` where its first URL or the client's proxy may not be contacted, and upstream_failed
 * where this machine has no way out.
 */
export async function followChain(query: UrlStatusQuery, context: CentralContext): Promise<Chain> {
  const { clock, signal } = context;
  let read: { url: string; page: Page; document: PageDocument | undefined } | undefined;
  let stopped: ChainEnd = { kind: 'switched_off' };
  const started = clock.now();
  const visited = await visitThrough(query, context, {
    maxBytes: PAGE_MAX_BYTES,
    maxRedirects: query.follow.max,
    hop_ms: query.connect_ms + ANSWER_MS,
    total_ms: CHAIN_MS,
    follows(redirect) {
      const end = stopBefore(redirect, query.follow, context);
      if (end) stopped = end;
      return end === undefined;
    },
    async next(answer) {
      read = { url: answer.url, page: answer, document: await documentOf(answer.head, answer.url, answer, signal) };
      return onwardOf(answer, read.document, query.follow, signal);
    },
  });
  const isLate = clock.now() - started >= CHAIN_MS;
  const { hops, end = endOf(visited, stopped, query.follow.max) } = await requested(visited.hops, isLate, context);
  const last = hops.at(-1)!;
  const page = read?.url === last.url ? read.page : hops.length < visited.hops.length ? NO_PAGE : visited.page;
  const document = read?.url === last.url ? read.document : await documentOf(last.head, last.url, page, signal);
  return { hops, end, page, document };
}

const documentOf = async (head: HttpHead | undefined, url: string, page: Page, signal: AbortSignal): Promise<PageDocument | undefined> =>
  head && looksLikeHtml(head, page) ? await readDocument(page.text, url, signal) : undefined;

function endOf({ end }: Visit, stopped: ChainEnd, max: number): ChainEnd {
  switch (end) {
    case 'page':
    case 'loop':
      return { kind: end };
    case 'not_followed':
      return stopped;
    case 'too_many_redirects':
      return { kind: 'too_many', max };
    case 'failed':
      return { kind: 'no_answer' };
  }
}

/**
 * The hops of the report. A hop that must not be contacted, or that had no time to answer, appears only as the target of the one before it,
 * and ends the chain.
 */
async function requested(
  hops: readonly Hop[],
  isLate: boolean,
  context: CentralContext,
): Promise<{ hops: readonly Hop[]; end?: ChainEnd }> {
  const last = hops.at(-1)!;
  const { failure } = last;
  if (!failure) return { hops };
  const isRefused = failure.code === 'blocked_policy' || failure.code === 'blocked_private_address';
  if (!isRefused && !isLate) return { hops };
  const before = hops.at(-2);
  if (!before) {
    if (isRefused) throw await refusedTarget(failure, last.location.hostname, context);
    return { hops };
  }
  const left: Hop = { ...before, redirect: before.redirect && { ...before.redirect, followed: false } };
  return {
    hops: [...hops.slice(0, -2), left],
    end: isRefused ? { kind: 'refused', why: failure.message } : { kind: 'out_of_time', ms: CHAIN_MS },
  };
}
