/**
 * The capabilities of a machine, each with witnesses of its own: echoes, connections and datagrams over a family, datagrams to port 443,
 * names, and the wall clock.
 */
export const CAPABILITIES = ['icmp4', 'icmp6', 'tcp4', 'tcp6', 'udp4', 'udp6', 'quic', 'resolver', 'clock'] as const;
export type NetworkCapability = (typeof CAPABILITIES)[number];

/** Whether a capability works. `unknown`: nothing was asked yet, no witness is configured, or this machine lacks the family. */
export type CapabilityVerdict = 'good' | 'bad' | 'unknown';
