import { central } from '../kit/index.ts';
import { chainVerdict, finalStatus, redirectStats, requestStats, withFragments } from '@vedette/web/redirects';
import { headerLists } from '@vedette/probes/http';
import { shownTarget } from '../shared/pages/url-parts.ts';
import { followChain } from './chain.ts';
import { finalHop } from './final-hop.ts';
import { hopEntry, stepOf } from './hop-entry.ts';
import { UrlStatusRequest } from './parameters.ts';
import { readQuery } from './query.ts';
import { UrlStatusReport } from './schema.ts';
import { sslOf } from './ssl.ts';

/** Follows a URL over its redirects to where it ends. */
export const urlStatus = central({
  name: 'url-status',
  subject: 'web',
  summary: 'Follow a URL over every redirect and inspect its final page',
  description:
    'Follows redirects like a browser without scripts, with cookies. Every hop is checked: inner addresses, government and educational hosts, and hosts that opted out end the chain. Other redirects (`Refresh`, `meta` refresh, warning pages before external links) are reported, and followed on request. docs/url-status.md explains the values and fields.',
  cost: 1,
  deadline_ms: 60_000,
  dns: { questions: 80, ms: 50_000, optional: ({ start }) => start.kind !== 'name' },
  references: ['RFC 9110', 'RFC 9112', 'RFC 9113', 'RFC 6265', 'RFC 9525', 'HTML §4.2.5.3'],
  request: UrlStatusRequest,
  response: UrlStatusReport,
  targets: { url: 'url' },
  examples: [{ url: 'http://example.org/' }, { url: 'https://example.org/', follow_meta_redirects: true, include_response_headers: true }],
  read: readQuery,
  async run(query, context) {
    const chain = await followChain(query, context);
    const { hops, end } = chain;
    const urls = withFragments(
      [shownTarget(query.start), ...hops.slice(1).map(({ shown }) => shown), ...(hops.at(-1)!.redirect ? [hops.at(-1)!.redirect!.to] : [])],
      query.start.fragment,
    );
    const steps = hops.map((hop, i) => stepOf(hop, urls[i]!, urls[i + 1] ?? '', query.verify));
    const [final, ssl] = await Promise.all([finalHop(chain, query, context), sslOf(hops, query, context)]);
    const last = steps.at(-1)!;
    const lastHead = hops.at(-1)!.head;
    return {
      url: query.requestedUrl,
      unwrapped_url: query.unwrapped,
      ...chainVerdict(steps, end),
      redirect_stats: redirectStats(steps),
      request_stats: requestStats(steps),
      chain: hops.map((hop, i) => ({
        ...hopEntry(hop, steps[i]!, i, steps[i - 1]?.url),
        ...ssl[i],
        ...(query.wanted.headers && { response_headers: hop.head ? headerLists(hop.head) : {} }),
        ...(i === hops.length - 1 && final),
      })),
      final_url: {
        url: last.url,
        protocol: lastHead?.version ?? '',
        status: finalStatus(last),
        status_code: last.status,
        status_message: lastHead?.statusMessage ?? '',
      },
    };
  },
});
