import { listOf } from '../tools/list.ts';

/** An entry of VEDETTE_VPN_EXITS: an exit, and the location that it names after `#`, if it names one. */
interface VpnExitEntry {
  exit: string;
  location?: string;
}

/** Splits VEDETTE_VPN_EXITS; of what an exit is, and of which locations there are, it knows nothing. */
export const vpnExitEntries = (text: string | undefined): VpnExitEntry[] =>
  listOf(text).map((entry) => {
    const hash = entry.indexOf('#');
    return hash === -1 ? { exit: entry } : { exit: entry.slice(0, hash), location: entry.slice(hash + 1) };
  });
