import { type ParsedHost, parseHost } from '@vedette/contract';
import type { PictureFacts } from '@vedette/message/report';
import { unwrapAll } from '@vedette/web/links';
import type { CentralPorts } from '../kit/index.ts';
import { domainPartsOf } from '../shared/pages/url-parts.ts';

const SHORTENERS = 'url-shorteners';

/** What a URL of a code tells by itself. */
export function judgedUrl({ url, is_defanged }: PictureFacts['found_urls'][number], names: CentralPorts['names']) {
  const { url: inner, wrappers } = unwrapAll(url);
  const target = URL.parse(inner) ?? new URL(url);
  const parsed: ParsedHost | undefined = parseHost(target.hostname.replace(/^\[|\]$/g, ''));
  const host = parsed?.host ?? target.hostname;
  return {
    url,
    unwrapped_url: wrappers.length === 0 ? '' : inner,
    host,
    domain_parts: domainPartsOf(target),
    is_shortener: names.hasList(SHORTENERS) ? yesOrNo(names.listings(host).some(({ list }) => list === SHORTENERS)) : ('unknown' as const),
    is_ip_host: parsed !== undefined && parsed.kind !== 'name',
    is_defanged,
  };
}

const yesOrNo = (is: boolean) => (is ? ('yes' as const) : ('no' as const));
