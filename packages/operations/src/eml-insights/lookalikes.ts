import { type EmlReport, type Names, parseHost } from '@vedette/contract';
import { judgeHostName } from '@vedette/intel/names';

/** So many hosts of a message are judged: it takes a fifth of a millisecond each, in the process that everybody waits for. */
const HOSTS_MAX = 100;

/**
 * Hosts that are written to be taken for a brand's: in other letters (`rnicrosoft`, `paypa1`), a slip away from it, or its name with words of forgers. Those of
 * From and Reply-To are judged first, then those of the URLs, a hundred in all.
 */
export function lookalikesOf({ sender_details, headers, ioc }: EmlReport, names: Names): string[] {
  const answered = parseHost(headers.reply_to.slice(headers.reply_to.lastIndexOf('@') + 1));
  const mailboxes = [sender_details.domain, answered?.kind === 'name' ? answered.host : ''].filter((host) => host !== '');
  const hosts = new Set([...mailboxes, ...ioc.urls.domains.slice(0, HOSTS_MAX - mailboxes.length)]);
  return [...hosts].filter((host) => {
    const { homoglyph, typosquat } = judgeHostName(host, names);
    return homoglyph !== '' || typosquat !== '';
  });
}
