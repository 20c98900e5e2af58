import type { Dns } from './dns.ts';
import type { Latency, PathQuality } from './latency.ts';
import { site } from './plan.ts';
import { ROUTER, routerPort } from './topology.ts';
import type { World } from './world.ts';

/** Ends a fault. */
export type Heal = () => Promise<void>;

/** How a packet filter says no. */
export type Refusal = 'silence' | 'admin-prohibited' | 'reset';

const VERDICT: Record<Refusal, string> = {
  silence: 'drop',
  'admin-prohibited': 'reject with icmpx type admin-prohibited',
  reset: 'meta l4proto tcp reject with tcp reset',
};

interface Rule {
  chain: 'input' | 'forward' | 'output';
  text: string;
}

/** Everything that can go wrong in the lab. Each fault returns what ends it; `healAll` ends what is left. */
export class Faults {
  readonly #world: World;
  readonly #latency: Latency;
  readonly #dns: Dns;
  readonly #rules = new Map<string, Set<Rule>>();
  readonly #open = new Set<Heal>();

  constructor(world: World, latency: Latency, dns: Dns) {
    this.#world = world;
    this.#latency = latency;
    this.#dns = dns;
  }

  /** The region reaches neither hosts, nor name servers, nor exits; the core it does. */
  cutFromInternet(region: string): Promise<Heal> {
    const port = routerPort(region);
    return this.#filter(ROUTER, 'forward', [`iifname "${port}" drop`, `oifname "${port}" drop`]);
  }

  /** The region's agents lose the bus; the internet they keep. */
  async cutFromCore(region: string): Promise<Heal> {
    const { mgmt } = site(region);
    const heals = [
      await this.#filter('core', 'input', [`ip saddr ${mgmt} drop`]),
      await this.#filter('core', 'output', [`ip daddr ${mgmt} drop`]),
    ];
    return this.#opened(async () => {
      for (const heal of heals) await heal();
    });
  }

  /** One address, v4, is filtered for one region. */
  cutFromHost(region: string, address: string, refusal: Refusal = 'silence'): Promise<Heal> {
    return this.#filter(ROUTER, 'forward', [
      `iifname "${routerPort(region)}" ${address.includes(':') ? 'ip6' : 'ip'} daddr ${address} ${VERDICT[refusal]}`,
    ]);
  }

  /** Connections out of the region to these ports are filtered. */
  cutFromPorts(region: string, ports: readonly number[], refusal: Refusal): Promise<Heal> {
    return this.#filter(ROUTER, 'forward', [`iifname "${routerPort(region)}" tcp dport { ${ports.join()} } ${VERDICT[refusal]}`]);
  }

  /** Echo requests out of the region are filtered; everything else passes. */
  filterIcmp(region: string, refusal: Exclude<Refusal, 'reset'> = 'silence'): Promise<Heal> {
    const from = `iifname "${routerPort(region)}"`;
    return this.#filter(ROUTER, 'forward', [
      `${from} icmp type echo-request ${VERDICT[refusal]}`,
      `${from} icmpv6 type echo-request ${VERDICT[refusal]}`,
    ]);
  }

  /** IPv4 and IPv6 packets out of a site that match an expression of nft(8) are swallowed on their way. */
  dropFrom(site: string, match: string): Promise<Heal> {
    return this.#filter(ROUTER, 'forward', [`iifname "${routerPort(site)}" ${match} drop`]);
  }

  /** Drops one of every `n` IPv4 echo requests out of the region, exactly: the n-th, the 2n-th and so on, counted from now. */
  dropEveryNthEcho(region: string, n: number): Promise<Heal> {
    return this.#filter(ROUTER, 'forward', [`iifname "${routerPort(region)}" icmp type echo-request numgen inc mod ${n} ${n - 1} drop`]);
  }

  /** DNS over UDP is filtered in the region, towards its resolver and from it. Over TCP it works. */
  blockUdpDns(region: string): Promise<Heal> {
    return this.#filter(region, 'output', ['udp dport 53 drop']);
  }

  /** Delay, jitter and random loss, both ways. */
  async degrade(region: string, change: Partial<PathQuality>): Promise<Heal> {
    const before = this.#latency.get(region);
    await this.#latency.set(region, change);
    return this.#opened(() => this.#latency.set(region, before));
  }

  /** The region's resolver takes questions and never answers. */
  async freezeResolver(region: string): Promise<Heal> {
    const resolver = this.#dns.resolver(region);
    await resolver.freeze();
    return this.#opened(async () => resolver.kill('SIGCONT'));
  }

  /** The region's resolver has one address for every name, and the truth about the root. */
  async lieInResolver(region: string, address: string): Promise<Heal> {
    await this.#dns.lieAboutAll(region, address);
    return this.#opened(() => this.#dns.tellTruth(region));
  }

  /** The region's resolver has another address for one name, or denies that it exists. */
  async lieAbout(region: string, host: string, address?: string): Promise<Heal> {
    await this.#dns.lie(region, host, address);
    return this.#opened(() => this.#dns.tellTruth(region, [host]));
  }

  /** The region's resolver believes what it is told about a domain, signed or not. */
  async stopValidating(region: string, domain: string): Promise<Heal> {
    await this.#dns.validate(region, domain, false);
    return this.#opened(() => this.#dns.validate(region, domain, true));
  }

  async healAll(): Promise<void> {
    for (const heal of [...this.#open].reverse()) await heal();
  }

  #opened(end: Heal): Heal {
    const heal: Heal = async () => {
      if (this.#open.delete(heal)) await end();
    };
    this.#open.add(heal);
    return heal;
  }

  async #filter(network: string, chain: Rule['chain'], texts: readonly string[]): Promise<Heal> {
    const rules = this.#rules.get(network) ?? new Set<Rule>();
    this.#rules.set(network, rules);
    const added = texts.map((text) => ({ chain, text }));
    added.forEach((rule) => rules.add(rule));
    await this.#apply(network);
    return this.#opened(async () => {
      added.forEach((rule) => rules.delete(rule));
      await this.#apply(network);
    });
  }

  /** Replaces the namespace's table in one transaction. */
  async #apply(network: string): Promise<void> {
    const rules = [...this.#rules.get(network)!];
    const chains = (['input', 'forward', 'output'] as const).map((chain) => {
      const lines = rules.filter((rule) => rule.chain === chain).map(({ text }) => `${text};`);
      return `chain ${chain} { type filter hook ${chain} priority 0; ${lines.join(' ')} }`;
    });
    const table = rules.length === 0 ? '' : `table inet faults {\n${chains.join('\n')}\n}\n`;
    await this.#world.run(network, ['nft', '-f', '-'], { input: `table inet faults {}\ndelete table inet faults\n${table}` });
  }
}
