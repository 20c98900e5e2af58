import type { Probe } from '@vedette/contract';
import { dns } from './dns/probe.ts';
import { httpProbe } from './http/probe.ts';
import { mtu } from './mtu/probe.ts';
import { ping } from './ping/probe.ts';
import { scan } from './scan/probe.ts';
import { tcpProbe } from './tcp/probe.ts';
import { trace } from './trace/probe.ts';
import { vpnProbe } from './vpn/probe.ts';

/** Every kind of measurement that an agent can do. A new one is a folder beside these and a line here. */
export const probes: readonly Probe<any, any>[] = [ping, httpProbe, dns, vpnProbe, trace, tcpProbe, mtu, scan];
