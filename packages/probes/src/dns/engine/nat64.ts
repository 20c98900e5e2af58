import { type Cidr, cidrOf, type Clock, parseIp, ProbeFailure, recordsOf, type Resolver, translatedV4 } from '@vedette/contract';

const WELL_KNOWN_NAME = 'ipv4only.arpa';
/** Its IPv4 addresses: 192.0.0.170 and 192.0.0.171. */
const WELL_KNOWN_VALUES: readonly bigint[] = [0xc00000aan, 0xc00000abn];
/** Lengths that the prefix of a NAT64 may have (RFC 6052 §2.2). */
const LENGTHS = [32, 40, 48, 56, 64, 96] as const;
const INTERVAL_MS = 600_000;
const MAX_PREFIXES = 16;

/**
 * Learns the NAT64 prefixes of this network, now and every ten minutes: its resolver makes an IPv6 address of a name that has IPv4 alone
 * (RFC 7050 §3), and what stands before the known IPv4 address in there is the prefix. Without an answer, the last ones stay.
 */
export function followNat64(resolver: Pick<Resolver, 'query'>, clock: Clock): { prefixes(): readonly Cidr[]; stop(): void } {
  const stopped = new AbortController();
  let prefixes: readonly Cidr[] = [];
  const follow = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        const answer = await resolver.query(WELL_KNOWN_NAME, 'AAAA', { fresh: true, signal: stopped.signal });
        prefixes = recordsOf(answer, 'AAAA')
          .flatMap(({ data }) => prefixesOf(data))
          .slice(0, MAX_PREFIXES);
      } catch (error) {
        if (!stopped.signal.aborted && !(error instanceof ProbeFailure)) throw error;
      }
      await clock.sleep(INTERVAL_MS, stopped.signal).catch(() => undefined); // stopped
    }
  };
  void follow();
  return { prefixes: () => prefixes, stop: () => stopped.abort() };
}

/** Every prefix behind which one of the known addresses stands. */
function prefixesOf(address: string): Cidr[] {
  const ip = parseIp(address)!;
  return LENGTHS.map((bits) => cidrOf(ip, bits)!).filter((prefix) => WELL_KNOWN_VALUES.includes(translatedV4(ip, [prefix])?.value ?? 0n));
}
