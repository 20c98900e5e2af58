import type { ChosenLocations, KeptAnswer, LocationList, Methods, Operations } from './api.d.ts';
import { errorOf } from './error.ts';
import type { RequestOptions, StreamEvent } from './calls.d.ts';
import { brokenOff, type ClientOptions, Exchange, reportIn } from './exchange.ts';
import { NAMES } from './names.ts';
import { eventsIn, linesIn } from './readers.ts';

type Name = keyof Operations;

/** Calls of operations whose name is known at run time alone. */
interface ByName {
  /** Asks an operation, and resolves to its report. */
  ask<N extends Name>(name: N, body: Operations[N]['request'], options?: RequestOptions): Promise<Operations[N]['report']>;
  /**
   * Asks an operation for its event stream. After a break the same request is sent again: `locations` begins anew then.
   */
  events<N extends Name>(
    name: N,
    body: Operations[N]['request'],
    options?: RequestOptions,
  ): AsyncGenerator<StreamEvent<ChosenLocations, Operations[N]['entry'], Operations[N]['report']>>;
  /**
   * Asks about many items. Yields a line for each item, in the order in which they end. After a break, an item whose line was an error may come again with a report,
   * which counts.
   */
  bulk<N extends Name>(name: N, body: Operations[N]['bulk'], options?: RequestOptions): AsyncGenerator<Operations[N]['line']>;
  /** Reads the answer that an Idempotency-Key stands for, of this account, for ten minutes. Asks nothing, and costs nothing. */
  keptAnswer(idempotencyKey: string, options?: Omit<RequestOptions, 'idempotencyKey'>): Promise<KeptAnswer>;
  /** Lists the locations and their states. Costs nothing. */
  locations(options?: RequestOptions): Promise<LocationList>;
  /**
   * Calls a path that is not an operation's, such as `/v2/usage?days=90`, or `/v2/keys` with a body. A call with a body is sent once: it may change something. The
   * answer is one of the types of this package: `Fleet`, `FeedList`, `EngineList`, `KeyList`, `NewKey`, `Permissions`, `Usage`.
   */
  call(path: string, body?: object, options?: RequestOptions): Promise<unknown>;
}

export type Client = Methods & ByName;

/**
 * A client of one gateway. Each operation is a method: `client.pingTest({ host })`. Calls reject with a `VedetteError`, or with the reason of their signal. A request
 * is sent again after a broken connection, and after a 429 or 503 that says when (`Retry-After`), with the same Idempotency-Key: it is paid once.
 */
export function createClient(options: ClientOptions): Client {
  const exchange = new Exchange(options);
  const once = new Exchange({ ...options, retries: 0 });
  const byName = {
    ask: (name: Name, body: object = {}, rest: RequestOptions = {}) => only(exchange, { path: `/v2/${name}`, body }, rest),
    events: (name: Name, body: object, rest: RequestOptions = {}) => streamOf(exchange, { path: `/v2/${name}`, body }, rest),
    bulk: (name: Name, body: object, rest: RequestOptions = {}) => bulkOf(exchange, `/v2/${name}/bulk`, body as { items: unknown[] }, rest),
    keptAnswer: (idempotencyKey: string, rest: RequestOptions = {}) =>
      only(exchange, { path: '/v2/kept-answer' }, { ...rest, idempotencyKey }),
    locations: (rest: RequestOptions = {}) => only(exchange, { path: '/v2/locations' }, rest),
    call: (path: string, body?: object, rest: RequestOptions = {}) => only(body === undefined ? exchange : once, { path, body }, rest),
  };
  const methods = NAMES.map((name): [string, object] => {
    const ask = (body?: object, rest?: RequestOptions) => byName.ask(name, body, rest);
    const events = (body: object, rest?: RequestOptions) => byName.events(name, body, rest);
    const bulk = (body: object, rest?: RequestOptions) => byName.bulk(name, body, rest);
    return [name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()), Object.assign(ask, { events, bulk })];
  });
  return { ...Object.fromEntries(methods), ...byName } as unknown as Client;
}

const JSON_TYPE = 'application/json';

interface Question {
  path: string;
  body?: object | undefined;
}

async function only(exchange: Exchange, question: Question, options: RequestOptions): Promise<unknown> {
  const read = async function* (response: Response): AsyncGenerator {
    yield reportIn(await response.text(), response.status);
  };
  for await (const report of exchange.ask({ ...question, accept: JSON_TYPE }, options, read)) return report;
  throw brokenOff();
}

/** The events that callers know by their types; a newer gateway may send others. */
const EVENTS: ReadonlySet<string> = new Set(['locations', 'location', 'report'] satisfies StreamEvent<never, never, never>['event'][]);

async function* streamOf(exchange: Exchange, question: Question, options: RequestOptions): AsyncGenerator {
  const read = async function* (response: Response): AsyncGenerator {
    // An older gateway has no stream of this operation: its report, which was charged, comes alone.
    if (response.headers.get('content-type')?.startsWith(JSON_TYPE)) {
      yield { event: 'report', data: reportIn(await response.text(), response.status) };
      return;
    }
    for await (const event of eventsIn(response)) {
      if (event.event === 'error') throw errorOf(event.data, { status: response.status }) ?? brokenOff();
      if (EVENTS.has(event.event)) yield event;
      if (event.event === 'report') return;
    }
    throw brokenOff();
  };
  yield* exchange.ask({ ...question, accept: 'text/event-stream', also: JSON_TYPE }, options, read);
}

async function* bulkOf(exchange: Exchange, path: string, body: { items: unknown[] }, options: RequestOptions): AsyncGenerator {
  const ended = new Set<number>();
  const answered = new Set<number>();
  const read = async function* (response: Response): AsyncGenerator {
    for await (const line of linesIn(response)) {
      const { index, status } = line as { index: number; status: number };
      // An error is free: after a break the item is asked again, and may bring a report that is paid.
      const isNew = !ended.has(index) || (status === 200 && !answered.has(index));
      ended.add(index);
      if (status === 200) answered.add(index);
      if (isNew) yield line;
    }
    if (ended.size < body.items.length) throw brokenOff();
  };
  yield* exchange.ask({ path, body, accept: 'application/x-ndjson' }, options, read);
}
