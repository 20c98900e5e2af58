import { isAtOrUnder, ProbeFailure, type ProbePorts } from '@vedette/contract';
import type { Static } from 'typebox';
import { refuseProtected } from '../host/judge-host.ts';
import { parseProxyUrl } from './proxy-url.ts';
import { ProxyWay } from './way.ts';
import type { HttpAsked } from '../http/detail-schema.ts';
import type { HopsOptions } from '../http/hops.ts';

/**
 * How a job's hosts are reached: directly, or through its proxy, which is judged as every target is and told addresses only. Throws `ProbeFailure`
 * unsupported for a proxy URL that cannot be read.
 */
export function dialFor(asked: Static<typeof HttpAsked.proxy> | undefined, ports: ProbePorts): HopsOptions['dialTo'] {
  const way = asked && wayThrough(asked, ports);
  return ({ host, port }) => {
    if (!way || asked.except.some((name) => isAtOrUnder(host, name)))
      return (address, signal) => ports.dialler.tcp({ address, port, signal });
    return (address, signal) => way.open({ address, port }, signal);
  };
}

function wayThrough({ url, headers }: Static<typeof HttpAsked.proxy>, { resolver, dialler, clock, ca, isDenied }: ProbePorts): ProxyWay {
  const proxy = parseProxyUrl(url);
  if (!proxy) throw new ProbeFailure('unsupported', 'proxy');
  const refuse = (name: string): void => {
    refuseProtected(name);
    if (isDenied(name)) throw new ProbeFailure('blocked_policy', name);
  };
  // The operator of the module chose it, not a stranger: no word of its owner is asked for.
  return new ProxyWay({ proxy: { ...proxy, headers }, resolver, dialler, clock, ca, refuse, isOptedOut: () => Promise.resolve(false) });
}
