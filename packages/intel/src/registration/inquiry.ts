import type { Clock } from '@vedette/contract';
import type { Bootstrap } from './rdap/bootstrap.ts';
import { type RegistryAnswer, PauseRequest, type Servers, UselessAnswer } from './servers.ts';
import type { Inquiry } from './shared-inquiries.ts';
import type { RdapHeard, RegistryWire } from './whois/wire.ts';

/** The dependencies of every inquiry. */
export interface InquiryDeps {
  clock: Clock;
  today(): Date;
  wire: RegistryWire;
  servers: Servers;
  bootstrap: Bootstrap;
}

/** No inquiry takes longer, however many servers it leads to. */
export const INQUIRY_MS = 30_000;
const RDAP_MS = 10_000;
const [OK, NOT_FOUND, TOO_MANY, SERVER_ERROR, UNAVAILABLE] = [200, 404, 429, 500, 503];

/** A conclusive RDAP answer: an object, or "not found". */
export type RdapSaid = { json: unknown; server: string } | 'not found';

/** One question to an RDAP server, when it is its time. Every status but 200 and 404 is a failure of the server. */
export async function askRdap(
  url: string,
  { wire, servers }: InquiryDeps,
  inquiry: Inquiry<unknown>,
  timeLeft: () => number,
): Promise<RegistryAnswer<RdapSaid>> {
  const server = serverOf(url);
  if (server === '') return { why: 'a link to no RDAP server', retry_after_s: 0 };
  const asker = { account: inquiry.account(), signal: inquiry.ways.signal, timeLeft, patience: inquiry.patience };
  return await servers.ask(server, 'rdap', asker, RDAP_MS, async (timeout_ms) => said(await wire.rdap({ url, timeout_ms }, inquiry.ways)));
}

function said({ status, json, isPage, retryAfter, url }: RdapHeard): RdapSaid {
  if (status === OK) return { json, server: serverOf(url) };
  // A page is what a web server has for paths that it does not know: no word of a registry (RFC 7480 §5.3).
  if (status === NOT_FOUND && !isPage) return 'not found';
  if (status === TOO_MANY || (status === UNAVAILABLE && retryAfter !== ''))
    throw new PauseRequest(`status ${status}, too many queries`, retryAfter);
  throw new UselessAnswer(`status ${status}${status === NOT_FOUND ? ' with a page for people' : ''}`, status >= SERVER_ERROR);
}

/** Returns the host of a URL, with its port unless it is the scheme's default; empty for an invalid URL. */
export const serverOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
