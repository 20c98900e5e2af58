import { ProbeFailure } from '@vedette/contract';

/** Limits of one job, whatever its page does. */
export interface JobLimits {
  /** Requests: those of its page, as the browser tells of them before they are sent, and apart from them those that come without TLS. */
  requests: number;
  /** Requests to one site that is not a document's own: a page of ten thousand images is an attack on their server. */
  strangerRequests: number;
  /**
   * TLS records that stand for requests in tunnels (see `TlsRecords`), a few for each request of an ordinary page. They count requests that
   * the browser does not report.
   */
  records: number;
  /** The same to one site that is not a document's own. */
  strangerRecords: number;
  /** Sites that count as documents' own: a page can lead from one to the next without end. */
  ownSites: number;
  /** Distinct hosts. */
  hosts: number;
  /**
   * Distinct ports of one site, and of one address, beside 80 and 443: a document's own sites, too, since any name may lead to a foreign
   * address.
   */
  ports: number;
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
  strangerRequests: 300,
  records: 2_500,
  strangerRecords: 1_200,
  ownSites: 4,
  hosts: 150,
  ports: 4,
  connections: 64,
  receivedBytes: 40 * MIB,
  sentBytes: 4 * MIB,
  attempts: 2_000,
};

const WEB_PORTS: readonly number[] = [80, 443];

/**
 * Keeps count of what one job has caused. Exceeding a limit throws `ProbeFailure` too_large: the page causes it, and it says nothing about
 * its target.
 */
export class JobBudget {
  readonly #limits: JobLimits;
  readonly #siteOf: (host: string) => string;
  readonly #ownSites = new Set<string>();
  /** The page's, those without TLS, and what stands for requests in tunnels. */
  readonly #requests: SiteCounts;
  readonly #plain: SiteCounts;
  readonly #records: SiteCounts;
  readonly #hosts = new Set<string>();
  /** Ports other than the web's that were contacted, by site and by address. */
  readonly #ports = new Map<string, Set<number>>();
  #connections = 0;
  #sent = 0;
  #received = 0;
  /** Requests of the page that it was too much for. */
  refused = 0;

  constructor(limits: JobLimits, siteOf: (host: string) => string) {
    this.#limits = limits;
    this.#siteOf = siteOf;
    const { requests, strangerRequests, records, strangerRecords } = limits;
    this.#requests = new SiteCounts(requests, strangerRequests);
    this.#plain = new SiteCounts(requests, strangerRequests);
    this.#records = new SiteCounts(records, strangerRecords);
  }

  /** The host's site is a document's own. */
  own(host: string): void {
    if (this.#ownSites.size < this.#limits.ownSites) this.#ownSites.add(this.#siteOf(host));
  }

  /** Whether the page may send a request to this host; counted in either case. */
  admits(host: string): boolean {
    try {
      this.#count(this.#requests, host);
      return true;
    } catch {
      this.refused++;
      return false;
    }
  }

  /** A request without TLS is to go out, or a tunnel is to be opened. */
  destination(host: string, kind: 'request' | 'tunnel'): void {
    this.bytes(0, 0);
    const { hosts } = this.#limits;
    if (!this.#hosts.has(host) && this.#hosts.size >= hosts) throw new ProbeFailure('too_large', `a page may ask ${hosts} hosts`);
    this.#count(kind === 'request' ? this.#plain : this.#records, host);
    this.#hosts.add(host);
  }

  /** The port of a host is to be contacted, at this address. */
  port(host: string, address: string, port: number): void {
    if (WEB_PORTS.includes(port)) return;
    const { ports } = this.#limits;
    for (const key of [this.#siteOf(host), address]) {
      const contacted = this.#ports.get(key) ?? new Set();
      if (!contacted.has(port) && contacted.size >= ports)
        throw new ProbeFailure('too_large', `a page may ask ${ports} ports of a site beside 80 and 443`);
      this.#ports.set(key, contacted.add(port));
    }
  }

  /** Counts records that went through a tunnel. */
  records(host: string, count: number): void {
    for (let i = 0; i < count; i++) this.#count(this.#records, host);
  }

  #count(counts: SiteCounts, host: string): void {
    const site = this.#siteOf(host);
    counts.add(site, this.#ownSites.has(site));
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

/** Counts by site, up to a limit in all and a limit for each foreign site. */
class SiteCounts {
  readonly #max: number;
  readonly #strangerMax: number;
  readonly #bySite = new Map<string, number>();
  #all = 0;

  constructor(max: number, strangerMax: number) {
    this.#max = max;
    this.#strangerMax = strangerMax;
  }

  add(site: string, isOwn: boolean): void {
    const ofSite = this.#bySite.get(site) ?? 0;
    if (this.#all >= this.#max) throw new ProbeFailure('too_large', `a page may send ${this.#max} requests`);
    if (!isOwn && ofSite >= this.#strangerMax)
      throw new ProbeFailure('too_large', `a page may send ${this.#strangerMax} requests to another site`);
    this.#all++;
    this.#bySite.set(site, ofSite + 1);
  }
}
