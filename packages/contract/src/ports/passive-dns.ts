/** Names that were seen at addresses. */
export interface PassiveDns {
  /** One page of names at an IPv4 address, the last seen first; pages count from 1. */
  namesAt(address: string, page: number): Promise<readonly { name: string; last_seen: Date }[]>;
}
