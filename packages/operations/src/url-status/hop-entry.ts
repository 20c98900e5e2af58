import type { ProbeFailure } from '@vedette/contract';
import { NO_REDIRECT, redirectInfo, type Step } from '@vedette/web/redirects';
import { headerValues, type Hop } from '@vedette/probes/http';
import { domainPartsOf, urlParts } from '../shared/pages/url-parts.ts';
import { typeOf } from './onward.ts';

/** The resolver failed the name, or the name has nothing. */
const isUnresolved = (failure: ProbeFailure | undefined): boolean => failure?.code.startsWith('dns_') ?? false;

/** A hop as its chain is judged. `url` and `to` with their fragments. */
export function stepOf({ head, failure, elapsed_ms, tls, redirect }: Hop, url: string, to: string, verify: boolean): Step {
  return {
    url,
    status: head?.status ?? 0,
    failure,
    elapsed_ms,
    setsCookies: head !== undefined && headerValues(head, 'set-cookie').length > 0,
    tlsFault: (failure?.code.startsWith('tls_') ?? false) || (verify && tls !== undefined && !tls.certificate.valid),
    redirect: redirect && { to, followed: redirect.followed },
  };
}

/** The fields of every hop. `from`: URL of the hop before; undefined for the first. */
export function hopEntry(
  { location, head, failure, remoteAddress, attempts, redirect }: Hop,
  step: Step,
  index: number,
  from: string | undefined,
) {
  return {
    url: step.url,
    hop: index,
    protocol: head?.version ?? '',
    status_code: step.status,
    status_message: head?.statusMessage ?? '',
    content_type: (head && headerValues(head, 'content-type')[0]) ?? '',
    can_resolve: !isUnresolved(failure),
    connection_error: failure !== undefined && !isUnresolved(failure),
    ...(from !== undefined && { redirected_from: from }),
    redirect_to: step.redirect?.to ?? '',
    redirect_type: redirect ? typeOf(redirect.type) : ('' as const),
    redirect_info: step.redirect ? redirectInfo(step.url, step.redirect.to) : NO_REDIRECT,
    redirect_followed: step.redirect?.followed ?? false,
    ip: remoteAddress,
    attempts,
    url_parts: urlParts(location),
    domain_parts: domainPartsOf(location),
    elapsed_ms: step.elapsed_ms,
    error: failure?.message ?? '',
    reason: failure?.code ?? ('' as const),
  };
}
