import type { MessageFacts } from '@vedette/message/report';
import type { Names } from '@vedette/intel/ports';
import { parseHost } from '@vedette/contract';
import { judgeHostName } from '@vedette/intel/names';

/** The most hosts of a message that are judged: each takes a fifth of a millisecond in the process that all requests share. */
export const HOSTS_MAX = 100;

/** The hosts that look like a brand's, and whether there were more hosts than are judged. */
export interface Lookalikes {
  hosts: string[];
  isCut: boolean;
}

/**
 * Finds hosts that are written to be taken for a brand's: in other letters (`rnicrosoft`, `paypa1`), a slip away from it, or its name with words
 * of forgers. Hosts of From and Reply-To are judged first, then those of the URLs, a hundred in all.
 */
export function lookalikesOf(facts: MessageFacts, names: Names): Lookalikes {
  const hosts = hostsOf(facts);
  const isLookalike = (host: string): boolean => {
    const { homoglyph, typosquat } = judgeHostName(host, names);
    return homoglyph !== '' || typosquat !== '';
  };
  return { hosts: hosts.slice(0, HOSTS_MAX).filter(isLookalike), isCut: hosts.length > HOSTS_MAX };
}

/** Hosts in the order in which they are judged, each once. */
function hostsOf({ sender_details, headers, ioc }: MessageFacts): string[] {
  const answered = parseHost(headers.reply_to.slice(headers.reply_to.lastIndexOf('@') + 1));
  const mailboxes = [sender_details.domain, answered?.kind === 'name' ? answered.host : ''].filter((host) => host !== '');
  return [...new Set([...mailboxes, ...ioc.urls.domains])];
}
