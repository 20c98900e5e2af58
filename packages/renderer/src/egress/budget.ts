import { ProbeFailure } from '@vedette/contract';

/** What one job may cause, whatever its page does. */
export interface JobLimits {
  /** Plain requests, and what stands for requests in tunnels (see `TlsRecords`). */
  requests: number;
  /** Those of them to one site that is not a document's own: a page of ten thousand images is an attack on whoever has them. */
  strangerRequests: number;
  /** Sites that count as documents' own: a page can lead from one to the next without end. */
  ownSites: number;
  /** Distinct hosts. */
  hosts: number;
  /** Connections at a time. */
  connections: number;
  receivedBytes: number;
  sentBytes: number;
  /** Requests in all, those that were refused included; what is beyond is dropped and not recorded. */
  attempts: number;
}

const MIB = 1024 * 1024;
export const JOB_LIMITS: JobLimits = {
  requests: 500,
  strangerRequests: 100,
  ownSites: 4,
  hosts: 150,
  connections: 64,
  receivedBytes: 40 * MIB,
  sentBytes: 4 * MIB,
  attempts: 2_000,
};

/** Keeps count of what one job has caused. What is too much throws `ProbeFailure` too_large: it is the page's doing, and no word on its target. */
export class JobBudget {
  readonly #limits: JobLimits;
  readonly #siteOf: (host: string) => string;
  readonly #ownSites = new Set<string>();
  readonly #bySite = new Map<string, number>();
  readonly #hosts = new Set<string>();
  #requests = 0;
  #connections = 0;
  #sent = 0;
  #received = 0;

  constructor(limits: JobLimits, siteOf: (host: string) => string) {
    this.#limits = limits;
    this.#siteOf = siteOf;
  }

  /** The host's site is a document's own. */
  own(host: string): void {
    if (this.#ownSites.size < this.#limits.ownSites) this.#ownSites.add(this.#siteOf(host));
  }

  request(host: string): void {
    this.bytes(0, 0);
    const site = this.#siteOf(host);
    const ofSite = this.#bySite.get(site) ?? 0;
    const { requests, strangerRequests, hosts } = this.#limits;
    if (this.#requests >= requests) throw new ProbeFailure('too_large', `a page may send ${requests} requests`);
    if (!this.#ownSites.has(site) && ofSite >= strangerRequests)
      throw new ProbeFailure('too_large', `a page may send ${strangerRequests} requests to another site`);
    if (!this.#hosts.has(host) && this.#hosts.size >= hosts) throw new ProbeFailure('too_large', `a page may ask ${hosts} hosts`);
    this.#requests++;
    this.#bySite.set(site, ofSite + 1);
    this.#hosts.add(host);
  }

  /** Holds one connection; gives it back when what it returns is called. */
  connection(): () => void {
    const { connections } = this.#limits;
    if (this.#connections >= connections) throw new ProbeFailure('too_large', `a page may open ${connections} connections at a time`);
    this.#connections++;
    let held = true;
    return () => {
      if (held) this.#connections--;
      held = false;
    };
  }

  bytes(sent: number, received: number): void {
    this.#sent += sent;
    this.#received += received;
    const { sentBytes, receivedBytes } = this.#limits;
    if (this.#sent > sentBytes) throw new ProbeFailure('too_large', `a page may send ${sentBytes / MIB} MiB`);
    if (this.#received > receivedBytes) throw new ProbeFailure('too_large', `a page may load ${receivedBytes / MIB} MiB`);
  }
}
