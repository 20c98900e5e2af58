import { OptOuts } from '@vedette/probes/host';
import type { Health } from '@vedette/probes/health';
import { getDomain } from 'tldts';
import type { Egress } from '../jobs/render.ts';
import { JOB_LIMITS, type JobLimits } from './budget.ts';
import { JobProxy } from './job-proxy.ts';
import { WayOut, type WayOutOptions } from './way-out.ts';

export interface EgressOptions extends WayOutOptions {
  /** Instead of the usual ones. */
  jobLimits?: Partial<JobLimits>;
  /** Undefined: the resolvers are not tested. */
  health?: Pick<Health, 'vouch'> | undefined;
}

/** The browser's only way out. */
export interface BrowserEgress extends Egress {
  /** A proxy that lets nothing through: for what the browser asks on its own account. */
  readonly deniedPort: number;
  /** How often it has asked. */
  readonly deniedAttempts: number;
}

/** The site that a host belongs to: its registrable domain (Public Suffix List, private part included), or the host itself where it has none. */
const siteOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host;

/** Opens the way out. Each job has a listener on loopback of its own, so that budgets, records and the end of a job are its own as well. */
export async function openEgress({ jobLimits, health, ...options }: EgressOptions): Promise<BrowserEgress> {
  const limits = { ...JOB_LIMITS, ...jobLimits };
  const proxies = new Set<JobProxy>();
  const ports = new Set<number>();
  const optOuts = new OptOuts({ resolver: options.resolver, clock: options.clock, siteOf, health });
  const open = async (): Promise<JobProxy> => {
    const proxy = new JobProxy({ limits, siteOf, wayOut: new WayOut(options, optOuts, ports) });
    await proxy.listen();
    const { port } = proxy;
    proxies.add(proxy);
    ports.add(port);
    const close = proxy.close.bind(proxy);
    proxy.close = async () => {
      await close();
      proxies.delete(proxy);
      ports.delete(port);
    };
    return proxy;
  };
  const denied = await open();
  return {
    deniedPort: denied.port,
    get deniedAttempts() {
      return denied.attempts;
    },
    open,
    async close() {
      await Promise.all([...proxies].map((proxy) => proxy.close()));
    },
  };
}
