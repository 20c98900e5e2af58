import { ApiError, nearest, shown } from '@vedette/contract';
import type { Account } from '@vedette/ledger';
import { DNS_PORTS } from '@vedette/probes/dns';
import type { FastifyInstance } from 'fastify';
import { PROBE_PATH } from '../api-description/probe-path.ts';
import { setQuota } from '../door/answer-headers.ts';
import { clientOf, noted, whenGone } from '../http/operation-route.ts';
import { type Callable, callable } from '../request/service.ts';
import type { Parts } from '../request/parts.ts';
import { shownName } from '../request/validate.ts';
import { canHoldLocation, EXPOSITION_TYPE, LOCATION_LABEL } from './exposition.ts';
import { type ProbeModule, type ProbeModules, sendsSecrets } from '../probe-modules/modules.ts';
import { type CentralModule, centralModules } from './central.ts';
import { hostnameOperation, probeOperation } from './operations.ts';
import { timeFor } from './scrape-timeout.ts';

/** The permission that a key needs, named like an operation. */
export const PROBE = 'probe';

/** The module where none is named, as blackbox_exporter has it. */
const USUAL_MODULE = 'http_2xx';
const PARAMETERS = PROBE_PATH.parameters.map(({ name }) => name);
const SHOWN_MAX_CHARS = 60;

/** A module, ready to be scraped. */
interface Ready {
  name: string;
  /** Measured by agents; undefined for a module of the gateway itself. */
  module: ProbeModule | undefined;
  paramsOf(target: string): Record<string, unknown>;
  print(report: Record<string, unknown>): string;
  plain: Callable;
  /** Where the module takes a `hostname`. */
  withHostname: Callable | undefined;
  minMs: number;
}

/** `GET /probe?target=…&module=…&location=…`: one measurement from every location, as Prometheus reads it. */
export function registerProbe(app: FastifyInstance, parts: Parts): void {
  const { modules, unsupported } = parts.config.probeModules;
  const own = [...centralModules(() => parts.intel.ports.clock.today?.() ?? new Date())].filter(([name]) => !unsupported.has(name));
  const ready = new Map([
    ...own.map(([name, module]) => [name, preparedCentral(name, module, parts)] as const),
    ...[...modules].map(([name, module]) => [name, prepared(module, parts)] as const),
  ]);
  const config = { permission: PROBE, bearer: true, scraped: true };
  app.get<{ Querystring: Query }>('/probe', { config, schema: {} }, async (request, reply) => {
    const { account, visit } = request.admitted!;
    visit.begin();
    const scrape = readQuery(request.query);
    const { name, module, paramsOf, print, plain, withHostname, minMs } = moduleOf(scrape.module, ready, unsupported);
    if (module) refuseSecrets(module, account);
    else if (scrape.locations.length > 0)
      throw new ApiError('parameter_conflict', `the module ${name} measures at no location`, { param: 'location' });
    const params = paramsOf(scrape.target);
    if (scrape.hostname !== undefined && !withHostname)
      throw new ApiError('parameter_conflict', `hostname requires an http module, and ${name} is not one`, { param: 'hostname' });
    const { operation, prepare, call } = (scrape.hostname === undefined ? plain : withHostname)!;
    const read = prepare({
      ...params,
      ...(module && { location_label: scrape.label }),
      ...(scrape.hostname !== undefined && { hostname: scrape.hostname }),
      ...(scrape.locations.length > 0 && { locations: scrape.locations }),
    });
    const answer = await call({
      account,
      client: clientOf(request),
      visit,
      prepared: {
        ...read,
        cost: account.unmeteredProbe ? 0 : read.cost,
        deadlineMs: timeFor({
          header: request.headers['x-prometheus-scrape-timeout-seconds'],
          moduleMs: module?.timeoutMs,
          usualMs: operation.deadline_ms,
          spentMs: reply.elapsedTime,
          minMs,
        }),
      },
      idempotency: undefined,
      whenGone: whenGone(request, reply),
      print,
    });
    const { body, cost } = noted(request, reply, answer);
    visit.answered();
    setQuota(reply, parts.ledger, account, cost);
    return reply.headers({ 'content-type': EXPOSITION_TYPE, 'cache-control': 'no-store' }).send(body);
  });
}

function prepared(module: ProbeModule, parts: Parts): Ready {
  const operation = probeOperation(module, parts.config.catalogue);
  return {
    name: module.name,
    module,
    paramsOf: (target) => paramsOf(module, target),
    print: ({ exposition }) => String(exposition),
    plain: callable(operation, parts),
    withHostname: module.prober === 'http' ? callable(hostnameOperation(module, parts.config.catalogue), parts) : undefined,
    minMs: operation.probe.min_budget_ms,
  };
}

/** What it needs at the least to connect and to judge. */
const CENTRAL_MIN_MS = 1_000;

function preparedCentral(name: string, { operation, paramsOf: read, expose }: CentralModule, parts: Parts): Ready {
  return {
    name,
    module: undefined,
    paramsOf: read,
    print: expose,
    plain: callable(operation, parts),
    withHostname: undefined,
    minMs: CENTRAL_MIN_MS,
  };
}

type Query = Readonly<Record<string, string | string[]>>;

interface ScrapeRequest {
  target: string;
  module: string;
  hostname: string | undefined;
  /** Empty: the usual ones. */
  locations: string[];
  /** The name of the label that holds the location. */
  label: string;
}

/** Throws `ApiError` missing_parameter, unknown_parameter or invalid_parameter. */
function readQuery(query: Query): ScrapeRequest {
  for (const name of Object.keys(query)) {
    if (PARAMETERS.includes(name)) continue;
    const meant = nearest(name, PARAMETERS);
    const instead = meant === undefined ? `/probe takes ${PARAMETERS.join(', ')}` : `did you mean ${meant}?`;
    throw new ApiError('unknown_parameter', `${shownName(name)}; ${instead}`, { param: name });
  }
  const one = (name: string): string | undefined => {
    const value = query[name];
    if (Array.isArray(value)) throw new ApiError('invalid_parameter', `${name} was sent twice`, { param: name });
    return value === '' ? undefined : value;
  };
  const target = one('target');
  if (target === undefined) throw new ApiError('missing_parameter', 'target', { param: 'target' });
  const label = one('location_label') ?? LOCATION_LABEL;
  if (!canHoldLocation(label))
    throw new ApiError('invalid_parameter', 'location_label must be the name of a label that /probe does not use otherwise', {
      param: 'location_label',
    });
  return {
    target,
    label,
    module: one('module') ?? USUAL_MODULE,
    hostname: one('hostname'),
    locations: [query['location'] ?? []].flat().flatMap((each) => each.split(',').filter(Boolean)),
  };
}

function moduleOf(name: string, ready: ReadonlyMap<string, Ready>, unsupported: ProbeModules['unsupported']): Ready {
  const found = ready.get(name);
  if (found) return found;
  const left = unsupported.get(name);
  if (left)
    throw new ApiError(
      'invalid_parameter',
      `module ${shown(name, SHOWN_MAX_CHARS)}: ${left.what} (line ${left.line} of the file) is not supported`,
      { param: 'module' },
    );
  const meant = nearest(name, [...ready.keys()]);
  const instead = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new ApiError('invalid_parameter', `the module ${shownName(name)} does not exist${instead}`, { param: 'module' });
}

/** Throws `ApiError` operation_not_allowed when a client could direct a module's secrets to its own server without the operator's permission. */
function refuseSecrets(module: ProbeModule, { allowedOperations }: Account): void {
  if (!sendsSecrets(module) || allowedOperations?.includes(PROBE)) return;
  const name = shown(module.name, SHOWN_MAX_CHARS);
  throw new ApiError(
    'operation_not_allowed',
    `the module ${name} sends ${module.prober === 'tcp' ? 'a login' : 'headers'} of its operator's; keys made with --operations probe may use it`,
  );
}

/** The parameters that a target stands for, read as blackbox_exporter does. */
function paramsOf(module: ProbeModule, target: string): Record<string, unknown> {
  if (module.prober === 'http') return { target: /^[a-z][a-z\d+.-]*:\/\//i.test(target) ? target : `http://${target}` };
  if (module.prober === 'icmp' || module.prober === 'trace' || (module.prober === 'dns' && module.queryName === undefined))
    return { target };
  // host, host:port, [::1] or [::1]:port; more than one colon without brackets is an address alone.
  const [, host = target, port] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(target) ?? [];
  if (module.prober === 'dns')
    return { target: host, port: port === undefined ? DNS_PORTS[module.options.transport ?? 'udp'] : Number(port) };
  if (port === undefined) throw new ApiError('invalid_parameter', 'target must be host:port for a tcp module', { param: 'target' });
  return { target: host, port: Number(port) };
}
