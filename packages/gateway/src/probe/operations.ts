import { ApiError, type Probe } from '@vedette/contract';
import { distributed, type Operation, type Reply } from '@vedette/operations/kit';
import { operations } from '@vedette/operations';
import { dns } from '@vedette/probes/dns';
import { httpProbe } from '@vedette/probes/http';
import { ping } from '@vedette/probes/ping';
import { tcpProbe } from '@vedette/probes/tcp';
import { trace } from '@vedette/probes/trace';
import { type Static, type TObject, Type } from 'typebox';
import type { Catalogue } from '../locations/locations.ts';
import { namedOutcome, serverOutcome } from './dns-outcome.ts';
import { httpOutcome } from './http-outcome.ts';
import { icmpOutcome } from './icmp-outcome.ts';
import { tcpOutcome } from './tcp-outcome.ts';
import { httpJob, icmpJob, namedJob, pathJob, serverJob, tcpJob } from '../probe-modules/jobs.ts';
import type { DnsModule, HttpModule, IcmpModule, ProbeModule, TcpModule, TraceModule } from '../probe-modules/modules.ts';
import type { Outcome } from './outcome.ts';
import { Matching } from '../probe-modules/patterns.ts';
import { expose } from './scrape.ts';
import { traceOutcome } from './trace-outcome.ts';

/** The answer for Prometheus. */
const Exposed = Type.Object({ exposition: Type.String() });
const Target = Type.String({ minLength: 1, maxLength: 8192 });
/** The parameters of every scrape. */
const SCRAPE = { target: Target, location_label: Type.String() };
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const NOTHING = { schema: Type.Object({}), of: () => ({}) };

/** A probe, with the price and the deadline of the operation of the API that runs it: both hold for a scrape, too. Prices go by the `options` of a query. */
function priced<J extends TObject, R extends TObject>(
  probe: Probe<J, R>,
): { probe: Probe<J, R>; cost: Operation['cost']; deadline_ms: number } {
  const { cost, deadline_ms } = operations.find((operation) => operation.kind === 'distributed' && operation.probe === probe)!;
  return { probe, cost, deadline_ms };
}

/** The parts that all modules share. */
const shared = {
  subject: 'locations',
  summary: 'A scrape of GET /probe',
  response: Exposed,
  examples: [],
  entries: 'locations',
  entry: NOTHING,
  tellsInnerTarget: true, // by probe_success, as blackbox_exporter does
} as const;

export type ProbeOperation = Operation & { kind: 'distributed' };

/** The operation that a module is: measured, judged and paid for on the same road as those of the API. */
export function probeOperation(module: ProbeModule, catalogue: Catalogue): ProbeOperation {
  switch (module.prober) {
    case 'http':
      return httpOperation(module, catalogue);
    case 'icmp':
      return icmpOperation(module, catalogue);
    case 'tcp':
      return tcpOperation(module, catalogue);
    case 'trace':
      return traceOperation(module, catalogue);
    case 'dns':
      return module.queryName === undefined ? namedOperation(module, catalogue) : serverOperation(module, catalogue);
  }
}

const report =
  <R>(judge: (reply: Reply<R>, matching: Matching) => Outcome, catalogue: Catalogue) =>
  ({ label }: { label: string }, replies: readonly Reply<R>[]): Static<typeof Exposed> => {
    const matching = new Matching();
    return { exposition: expose(replies, (reply) => judge(reply, matching), catalogue, label) };
  };

const httpOperation = (module: HttpModule, catalogue: Catalogue): ProbeOperation =>
  distributed({
    ...shared,
    ...priced(httpProbe),
    name: 'probe-http',
    request: Type.Object(SCRAPE, { additionalProperties: false }),
    targets: { target: 'url' },
    read: ({ location_label: label }, { target }) => ({ url: target.url.href, basic: target.basic, options: module.options, label }),
    job: ({ url, basic }) => ({ ...httpJob(module, url), ...(basic !== undefined && { basic }) }),
    report: report((reply) => httpOutcome(module, reply), catalogue),
  });

/** The operation of an http module with a `hostname` that stands for the one of the URL: both are targets. */
export const hostnameOperation = (module: HttpModule, catalogue: Catalogue): ProbeOperation =>
  distributed({
    ...shared,
    ...priced(httpProbe),
    name: 'probe-http',
    request: Type.Object({ ...SCRAPE, hostname: Target }, { additionalProperties: false }),
    targets: { target: 'url', hostname: 'name' },
    read: ({ location_label: label }, { target, hostname }) => ({
      url: target.url.href,
      basic: target.basic,
      hostname: hostname.host,
      options: module.options,
      label,
    }),
    job: ({ url, basic, hostname }) => ({ ...httpJob(module, url, hostname), ...(basic !== undefined && { basic }) }),
    report: report((reply) => httpOutcome(module, reply), catalogue),
  });

const icmpOperation = (module: IcmpModule, catalogue: Catalogue): ProbeOperation =>
  distributed({
    ...shared,
    ...priced(ping),
    name: 'probe-icmp',
    request: Type.Object(SCRAPE, { additionalProperties: false }),
    targets: { target: 'host' },
    read: ({ location_label: label }, { target }) => ({ host: target.host, options: module.options, label }),
    job: ({ host }) => icmpJob(module, host),
    report: report((reply) => icmpOutcome(module, reply), catalogue),
  });

const tcpOperation = (module: TcpModule, catalogue: Catalogue): ProbeOperation =>
  distributed({
    ...shared,
    ...priced(tcpProbe),
    name: 'probe-tcp',
    request: Type.Object({ ...SCRAPE, port: Port }, { additionalProperties: false }),
    targets: { target: 'host' },
    read: ({ port, location_label: label }, { target }) => ({ host: target.host, port, label }),
    connects: ({ port }) => ({ port, times: 1 }),
    job: ({ host, port }) => tcpJob(module, host, port),
    report: report((reply) => tcpOutcome(reply), catalogue),
  });

const traceOperation = (module: TraceModule, catalogue: Catalogue): ProbeOperation =>
  distributed({
    ...shared,
    ...priced(trace),
    name: 'probe-trace',
    request: Type.Object(SCRAPE, { additionalProperties: false }),
    targets: { target: 'host' },
    read: ({ location_label: label }, { target }) => ({ host: target.host, label, options: module.options }),
    job: ({ host }) => pathJob(module, host),
    report: report(traceOutcome, catalogue),
  });

const namedOperation = (module: DnsModule, catalogue: Catalogue): ProbeOperation =>
  distributed({
    ...shared,
    ...priced(dns),
    name: 'probe-dns',
    request: Type.Object(SCRAPE, { additionalProperties: false }),
    targets: { target: 'owner' },
    contactsTarget: false,
    read({ location_label: label }, { target }) {
      if (target.kind !== 'name')
        throw new ApiError('invalid_parameter', 'target must be a name; a module with a query_name asks a server', { param: 'target' });
      return { host: target.host, options: {}, label };
    },
    job: ({ host }) => namedJob(module, host),
    asks: () => 1,
    report: report((reply) => namedOutcome(module, reply), catalogue),
  });

/** The target is a server: it is contacted, and its owner may have opted out. */
const serverOperation = (module: DnsModule, catalogue: Catalogue): ProbeOperation =>
  distributed({
    ...shared,
    ...priced(dns),
    name: 'probe-dns',
    request: Type.Object({ ...SCRAPE, port: Port }, { additionalProperties: false }),
    targets: { target: 'host' },
    read: ({ port, location_label: label }, { target }) => ({ host: target.host, port, options: module.options, label }),
    job: ({ host, port }) => serverJob(module, host, port),
    report: report((reply, matching) => serverOutcome(module, reply, matching), catalogue),
  });
