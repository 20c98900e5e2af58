import { availableParallelism, totalmem } from 'node:os';
import { ApiError, type Clock, unlessAborted } from '@vedette/contract';
import type { Parsers } from '@vedette/message/report';
import {
  type EndReason,
  type JobKind,
  MAX_CPU_MS,
  MAX_RESIDENT_BYTES,
  PARSER_MAIN,
  ParserEnded,
  ParserPool,
  type Readings,
  type Starter,
  startsAt,
  startsHere,
  usageOf,
} from '@vedette/message/parser';
import type { Log } from '@vedette/process/log';
import { toApiError } from '../door/error-handler.ts';
import type { GatewayConfig } from '../config/config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { OutboundGate } from './outbound-gate.ts';
import type { Parts } from './parts.ts';
import type { GateRow } from '../shares/gate.ts';

/** The fewest that accounts can share: one account has one of two, and the other is there for the next. */
const MIN_PARSERS = 2;
const MAX_PARSERS = 4;
/** The share of the machine's memory that all parsers together may use. */
const MEMORY_SHARE = 1 / 3;

export interface Machine {
  cores: number;
  /** Memory of the machine, or of the container that we are in. */
  memoryBytes: number;
}

export const thisMachine = (): Machine => ({
  cores: availableParallelism(),
  memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
});

/** How many messages are read at a time: to read one keeps a core busy, and may take half a gigabyte. */
export const parsersFor = ({ cores, memoryBytes }: Machine): number =>
  Math.max(MIN_PARSERS, Math.min(MAX_PARSERS, cores, Math.floor((memoryBytes * MEMORY_SHARE) / MAX_RESIDENT_BYTES)));

/** Failures that need the operator's attention; the others are caused by messages. */
const DEFECTS: ReadonlySet<EndReason> = new Set<EndReason>(['defect', 'no_answer']);

interface OpenDeps {
  clock: Clock;
  metrics: Metrics;
  log: Log;
}

/**
 * Where another user starts parsers, it is asked to, unless /proc hides its processes from us (hidepid), as it then does our parent's, which is root's: what a parser takes must
 * be seen.
 */
function starterOf(folder: string | undefined, { clock, log }: OpenDeps): Starter {
  if (folder !== undefined && usageOf(process.ppid)) return startsAt(folder, clock);
  if (folder !== undefined) log.warn({}, "parsers run as the gateway's user: /proc hides the processes of others (hidepid)");
  return startsHere(PARSER_MAIN, clock);
}

/** Opens the pool, and has the sandbox of this machine found out beside whatever else starts. */
export function openParsers({ settings }: GatewayConfig, deps: OpenDeps): ParserPool {
  const { clock, metrics, log } = deps;
  const pool = new ParserPool({
    clock,
    log,
    starter: starterOf(settings.VEDETTE_PARSER_FOLDER, deps),
    required: settings.VEDETTE_PARSER_SANDBOX === 'required',
    onEnd(ended) {
      metrics.parserEnds.inc({ why: ended.why });
      if (DEFECTS.has(ended.why)) log.error({ err: ended }, 'a parser failed: the message that it was to read is refused, or free');
      else if (ended.why !== 'closed') log.warn({ err: ended }, 'a parser ended, and was replaced');
    },
  });
  pool.confinement().catch((err: unknown) => log.error({ err }, 'messages are refused until parsers can be started'));
  return pool;
}

const NAMESPACES = 'Allow user namespaces (docs/renderers.md#parsers)';
const SANDBOX_REFUSED = `VEDETTE_PARSER_SANDBOX is required, and this machine does not allow user and network namespaces. ${NAMESPACES}`;

/** The message when parsers have less than the whole sandbox; undefined when they have it, or it is not known yet. */
export function missingSandbox({ sandbox }: ParserPool): string | undefined {
  switch (sandbox) {
    case 'refused':
      return SANDBOX_REFUSED;
    case 'no_rights':
      return `without user and network namespaces. ${NAMESPACES}`;
    case 'node_alone':
      return `confined by Node's permissions alone. ${NAMESPACES}`;
    default:
      return undefined;
  }
}

/** The parsers for one request: it waits for its account's place among those who want to have something read, and what comes back is held until its answer has left. */
export function parsersOf({ parsers, intel, metrics }: Parts, gate: OutboundGate): Parsers {
  const { clock } = intel.ports;
  const read = async <K extends JobKind>(kind: K, file: Uint8Array, signal: AbortSignal, param: string): Promise<Readings[K]> => {
    const started = clock.now();
    try {
      const pass = await gate.parse(signal);
      // It is read to its end where its client has left: most files cost less than a new parser does.
      const { reading, bytes } = await unlessAborted(signal, parsers.read(kind, file).finally(pass));
      gate.retain(await gate.result(bytes, signal));
      metrics.parses.inc({ outcome: 'ok' });
      return reading;
    } catch (error) {
      const refused = error instanceof ParserEnded ? refusalOf(error, NOUNS[kind], param) : error;
      metrics.parses.inc({ outcome: toApiError(refused).code });
      throw refused;
    } finally {
      metrics.parseSeconds.observe((clock.now() - started) / 1000);
    }
  };
  return {
    message: (eml, { signal }) => read('message', eml, signal, 'eml_base64'),
    picture: (file, { signal, param }) => read('picture', file, signal, param),
  };
}

const NOUNS: Readonly<Record<JobKind, string>> = { message: 'the message', picture: 'the picture' };

/** The client's error for a file that no parser read. */
function refusalOf(ended: ParserEnded, noun: string, param: string): ApiError {
  const invalid = (why: string): ApiError => new ApiError('invalid_parameter', `${noun} ${why}`, { param, cause: ended });
  switch (ended.why) {
    case 'cpu':
      return invalid(`takes more than ${MAX_CPU_MS / 1000} s to read`);
    case 'memory':
      return invalid(`takes more than ${MAX_RESIDENT_BYTES / 1024 ** 2} MB of memory to read`);
    case 'died':
      return invalid('cannot be read: what read it died of it twice');
    case 'long_answer':
      return invalid('has a report that is too long');
    case 'time':
      return new ApiError('deadline', '', { cause: ended });
    case 'closed':
      return new ApiError('draining', '', { cause: ended });
    case 'no_start':
      return new ApiError('overloaded', 'no parser could be started', { retryAfterS: 5, cause: ended });
    case 'no_sandbox':
      return new ApiError('switched_off', SANDBOX_REFUSED, { cause: ended });
    default:
      return new ApiError('internal', '', { cause: ended });
  }
}

export const PARSER_GATE: GateRow = {
  name: 'Reading a message or a picture',
  limits: 'CPU, memory and time of one message or one picture',
  limit: `${MAX_CPU_MS / 1000} s of CPU, ${MAX_RESIDENT_BYTES / 1024 ** 2} MB`,
  codes: ['invalid_parameter', 'overloaded', 'draining', 'switched_off', 'deadline'],
  cause: 'client',
};
