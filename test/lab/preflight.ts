import { execFileSync } from 'node:child_process';
import { accessSync, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

/** Programs the lab runs, by the Debian package that brings them. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  iproute2: ['ip', 'ss'],
  procps: ['sysctl'],
  'iputils-ping': ['ping'],
  iptables: ['iptables-restore', 'ip6tables-restore'],
  nftables: ['nft'],
  gcc: ['gcc'],
  bind9: ['named'],
  'bind9-utils': ['dnssec-keygen', 'dnssec-signzone'],
  'bind9-dnsutils': ['dig'],
  unbound: ['unbound', 'unbound-control'],
  openssl: ['openssl'],
  'nginx-light': ['nginx'],
  curl: ['curl'],
  microsocks: ['microsocks'],
  'tinyproxy-bin': ['tinyproxy'],
  'wireguard-go': ['wireguard-go'],
  'wireguard-tools': ['wg'],
  'nats-server': ['nats-server'],
  tcpdump: ['tcpdump'],
  faketime: ['faketime'],
  nmap: ['nmap'],
};

/** Why the lab cannot run on this machine; empty when it can. */
export function missingForLab(): string[] {
  if (process.platform !== 'linux') return ['Linux'];
  if (process.getuid?.() !== 0) return ['root'];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const found = (program: string) => folders.some((folder) => existsSync(join(folder, program)));
  const missing = Object.entries(PACKAGES).flatMap(([name, programs]) => (programs.every(found) ? [] : [`package ${name}`]));
  if (!existsSync('/usr/include/libnetfilter_queue/libnetfilter_queue.h')) missing.push('package libnetfilter-queue-dev');
  if (missing.length > 0) return missing;
  if (!can(() => accessSync('/dev/net/tun'))) missing.push('/dev/net/tun');
  if (!can(() => unshared(['true']))) missing.push('unshare (namespaces)');
  else if (!can(() => unshared(['iptables', '-t', 'mangle', '-A', 'PREROUTING', '-j', 'NFQUEUE', '--queue-num', '1'])))
    missing.push('NFQUEUE in the kernel');
  return missing;
}

const unshared = (argv: readonly string[]) =>
  execFileSync('unshare', ['--mount', '--net', '--pid', '--ipc', '--uts', '--fork', '--kill-child=KILL', ...argv], { stdio: 'ignore' });

const can = (attempt: () => unknown): boolean => {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
};

/**
 * A `describe` for tests that need the lab. Where it cannot run they are counted as skipped and the reason is printed;
 * with `LAB_REQUIRED=1` that is a failure.
 */
export function describeLab(name: string, tests: () => void): void {
  const missing = missingForLab();
  if (missing.length > 0 && process.env['LAB_REQUIRED'] === '1') throw new Error(`the lab cannot run here; missing: ${missing.join(', ')}`);
  if (missing.length > 0) process.stderr.write(`lab tests skipped (${name}); missing: ${missing.join(', ')}\n`);
  // oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- both come from the caller
  describe.skipIf(missing.length > 0)(name, tests);
}
