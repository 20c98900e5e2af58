import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pingConflict, PingOptions } from '@vedette/probes/ping';
import { TRACE_MAX, TRACE_PROTOCOLS } from '@vedette/probes/trace';
import { readDns } from './dns-section.ts';
import { readHttp } from './http-section.ts';
import { assertRunnable } from './jobs.ts';
import {
  ICMP_DEFAULTS,
  type IcmpModule,
  type ProbeModule,
  type ProbeModules,
  TRACE_DEFAULTS,
  type TraceModule,
  type Unsupported,
  withBuiltIn,
} from './modules.ts';
import { familiesOf, optionsOf, type Shared, UnsupportedKey, unsupportedKeys } from './section-parts.ts';
import { readTcp } from './tcp-section.ts';
import { FileProblem, parseSection, quoted, type Section, UnknownKey } from './yaml-section.ts';

const MODULES_MAX = 500;
const PROBERS = ['http', 'icmp', 'dns', 'trace', 'tcp', 'grpc', 'unix'] as const;
const NAME = /^[\x21-\x7e]{1,128}$/;

/**
 * Reads the text of VEDETTE_PROBE_FILE, which has the form of blackbox_exporter's configuration (its 0.23 to 0.27). A module with a prober or a key
 * that only blackbox_exporter has, or that is not known here, is left out and named; anything else that is wrong throws, with its line.
 */
export function readProbeFile(text: string, path: string): ProbeModules {
  const file = parseSection(text);
  const modules = file.section('modules');
  file.end();
  const names = modules.keys();
  if (names.length === 0) throw new FileProblem(file.line, 'there are no modules');
  if (names.length > MODULES_MAX) throw new FileProblem(modules.line, `more than ${MODULES_MAX} modules`);
  const own: ProbeModule[] = [];
  const unsupported: Unsupported[] = [];
  for (const name of names) {
    if (!NAME.test(name))
      throw new FileProblem(modules.lineOf(name), `${quoted(name)} is no name of a module: printable ASCII without spaces`);
    try {
      own.push(readModule(name, modules.section(name), dirname(path)));
    } catch (error) {
      if (!(error instanceof UnsupportedKey) && !(error instanceof UnknownKey)) throw error;
      unsupported.push({ module: name, line: error.line, what: error.what });
    }
  }
  return withBuiltIn(own, unsupported);
}

function readModule(name: string, section: Section, folder: string): ProbeModule {
  const prober = section.text('prober');
  if (prober === undefined) throw new FileProblem(section.line, `module ${quoted(name)} has no prober`);
  if (prober !== 'http' && prober !== 'icmp' && prober !== 'dns' && prober !== 'tcp' && prober !== 'trace')
    throw new UnsupportedKey(section.lineOf('prober'), `prober: ${prober}`);
  const shared: Shared = {
    name,
    timeoutMs: durationMs(section),
    readFile: (file) => readFileSync(resolve(folder, file), 'utf8'),
  };
  // Sections of other probers are there without meaning, as they are for blackbox_exporter.
  for (const other of PROBERS) section.has(other);
  const own = section.section(prober);
  const module = readOwn(prober, section, own, shared);
  own.end();
  section.end();
  assertRunnable(module, section.line);
  return module;
}

function readOwn(prober: ProbeModule['prober'], module: Section, own: Section, shared: Shared): ProbeModule {
  switch (prober) {
    case 'http':
      return readHttp(module, own, shared);
    case 'icmp':
      return readIcmp(module, own, shared);
    case 'dns':
      return readDns(module, own, shared);
    case 'tcp':
      return readTcp(own, shared);
    case 'trace':
      return readTrace(own, shared);
  }
}

function readTrace(section: Section, { name, timeoutMs }: Shared): TraceModule {
  const { options } = TRACE_DEFAULTS;
  const rounds = section.integer('rounds') ?? options.rounds;
  const flows = section.integer('flows') ?? options.flows;
  if (rounds * flows > TRACE_MAX.packets_per_hop)
    throw new FileProblem(section.lineOf('rounds'), `rounds times flows is more than ${TRACE_MAX.packets_per_hop}`);
  const { family, ipv6First } = familiesOf(section);
  return {
    ...TRACE_DEFAULTS,
    name,
    ipv6First,
    timeoutMs,
    options: {
      family,
      protocol: section.oneOf('protocol', TRACE_PROTOCOLS) ?? options.protocol,
      rounds,
      max_hops: section.integer('max_hops') ?? options.max_hops,
      flows,
    },
  };
}

function readIcmp(module: Section, section: Section, { name, timeoutMs }: Shared): IcmpModule {
  unsupportedKeys(section, ['source_ip_address']);
  const { family, ipv6First } = familiesOf(section);
  const payload_bytes = section.integer('payload_size') || undefined;
  const ttl = section.integer('ttl') || undefined;
  const own = {
    ...(family !== 0 && { family }),
    ...(payload_bytes !== undefined && { payload_bytes }),
    ...(ttl !== undefined && { ttl }),
    ...(section.flag('dont_fragment') && { dont_fragment: true }),
  };
  const options = optionsOf(module, PingOptions, own);
  const conflict = pingConflict(options);
  if (conflict !== undefined) throw new FileProblem(module.lineOf('options'), `options: ${conflict}`);
  return { ...ICMP_DEFAULTS, name, ipv6First: ipv6First && !options.family, timeoutMs, options };
}

const UNITS_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 };

/** Durations as Prometheus writes them: `5s`, `1m30s`, `500ms`. */
function durationMs(section: Section): number | undefined {
  const text = section.text('timeout');
  if (text === undefined) return undefined;
  if (!/^(0|(\d{1,9}(ms|[smhdwy]))+)$/.test(text))
    throw new FileProblem(section.lineOf('timeout'), 'timeout must be a duration such as 5s');
  const ms = [...text.matchAll(/(\d+)(ms|[smhdwy])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS_MS[unit!]!, 0);
  return ms === 0 ? undefined : ms;
}
