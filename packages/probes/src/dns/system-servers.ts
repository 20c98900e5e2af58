import { readFile } from 'node:fs/promises';
import { type Endpoint, formatIp, parseIp } from '@vedette/contract';

const DNS_PORT = 53;

/** The text of /etc/resolv.conf; empty when it is missing. */
export async function readResolvConf(): Promise<string> {
  try {
    return await readFile('/etc/resolv.conf', 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** The `nameserver` lines of a resolv.conf(5); without one, the machine's own. Zoned addresses (`fe80::1%eth0`) are left out. */
export function systemServers(resolvConf: string): Endpoint[] {
  const addresses = linesOf(resolvConf, 'nameserver').flatMap(([text = '']) => parseIp(text) ?? []);
  return addresses.length === 0
    ? [{ address: '127.0.0.1', port: DNS_PORT }]
    : addresses.map((ip) => ({ address: formatIp(ip), port: DNS_PORT }));
}

/** The domains that the machine's own resolver would try to append (`search`, `domain`; the last line counts), in lower case without trailing dots. */
export function searchDomains(resolvConf: string): string[] {
  const domains = linesOf(resolvConf, 'search', 'domain').at(-1) ?? [];
  return domains.map((domain) => domain.toLowerCase().replace(/\.$/, '')).filter((domain) => domain !== '');
}

/** The words after the keyword of each line that begins with one of these. */
function linesOf(resolvConf: string, ...keywords: string[]): string[][] {
  return resolvConf
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([keyword = '']) => keywords.includes(keyword))
    .map(([, ...words]) => words);
}
