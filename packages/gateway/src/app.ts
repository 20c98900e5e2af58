import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { API_ERRORS, ApiError, type Operation } from '@vedette/contract';
import type { Account, Ledger } from '@vedette/ledger';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { JSON_TYPE, setQuota } from './answer-headers.ts';
import { Calls } from './calls.ts';
import { registerCors } from './cors.ts';
import { registerDocs } from './docs.ts';
import { handleClientError, handleError } from './error-handler.ts';
import { type Admitted, createFrontDoor, type FrontDoorDeps } from './front-door.ts';
import { listLocations } from './list-locations.ts';
import type { MeasurementLog } from './measurement-log.ts';
import { openApi } from './openapi.ts';
import { registerOperation } from './operation-route.ts';
import { recording } from './recording.ts';
import { callable, type ServiceDeps } from './service.ts';
import { deprecate, registerV1, v1Path } from './v1.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
/** Node's own options, whether TLS ends here or not. The check for a Host is ours: node's answer has no body. */
const HTTP_OPTIONS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
  handshakeTimeout: 5_000, // of TLS
  requireHostHeader: false,
};

export interface AppDeps extends Omit<ServiceDeps, 'calls'>, FrontDoorDeps {
  ledger: Ledger;
  operations: readonly Operation[];
  log: FastifyBaseLogger;
  /** Undefined: none is kept. */
  measurements: MeasurementLog | undefined;
  corsOrigins: readonly string[];
  /** The deprecated v1 paths. */
  v1: boolean;
  tls: { certFile: string; keyFile: string } | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted | undefined;
    /** Whose key it is, from when that is known. */
    account: Account | undefined;
    /** Body bytes as received: what an Idempotency-Key stands for. */
    bodyBytes: Buffer | undefined;
    /** Set once work is under way: to be called when the client leaves; resolves to what it is charged all the same. */
    clientGone: (() => Promise<number>) | undefined;
    /** Credits that its answer cost. */
    charged: number | undefined;
  }
  interface FastifyContextConfig {
    operation?: Operation;
    /** Wants no key. */
    open?: boolean;
    /** v1: the key is the query parameter `key`, and there is no body. */
    keyInQuery?: boolean;
  }
}

/** Only HTTP/1.0 and 1.1, and 1.1 with a Host (RFC 9112 §3.2): node's parser also takes the bare line of HTTP/0.9. */
function refuseOldHttp({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion !== '1.0' && (httpVersion !== '1.1' || headers.host === undefined)) throw new ApiError('bad_request');
}

/** The API: one POST per operation, and the pages and lists around them. */
export function createApp(deps: AppDeps): FastifyInstance {
  const app = openServer(deps);
  decorate(app);
  app.setErrorHandler((error, request, reply) => {
    if (request.account) setQuota(reply, deps.ledger, request.account, 0);
    return handleError(error, request, reply);
  });
  // Before whatever may refuse: a page must be able to read why.
  registerCors(app, deps.corsOrigins);
  admitRequests(app, deps);
  const calls = new Calls();
  // No connection is left by then, but what clients have left behind may still be settled.
  app.addHook('onClose', () => calls.idle());
  for (const operation of deps.operations) {
    const plain = callable(operation, { ...deps, calls });
    const ready = deps.measurements ? recording(plain, deps.measurements, deps.clock) : plain;
    registerOperation(app, ready, deps.ledger);
    if (deps.v1) registerV1(app, ready, deps.ledger);
  }
  app.get('/v2/locations', (request, reply) => {
    setQuota(reply, deps.ledger, request.account!, 0);
    return reply.header('content-type', JSON_TYPE).send(JSON.stringify(listLocations(deps)));
  });
  const description = JSON.stringify(openApi(deps.operations));
  app.get('/openapi.json', { config: { open: true } }, (_request, reply) => reply.header('content-type', JSON_TYPE).send(description));
  registerDocs(app);
  refuseOtherPaths(app, deps);
  return app;
}

function openServer({ log, tls }: AppDeps): FastifyInstance {
  const options = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for every request costs more than most requests log: lines name their request_id themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: () => crypto.randomUUID(),
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    // Slow senders: headers within 5 s, the whole request within 10 s.
    requestTimeout: 10_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // the front door says it in our words
    exposeHeadRoutes: false,
    // These come before any hook.
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply.header('x-request-id', request.id)),
    clientErrorHandler: handleClientError,
  } satisfies FastifyServerOptions;
  const app = tls
    ? fastify({ ...options, https: { ...HTTP_OPTIONS, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) } })
    : fastify({ ...options, http: HTTP_OPTIONS });
  // What a client expects beyond 100-continue need not be met (RFC 9110 §10.1.1); node would answer with a bare 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
}

/** Bodies are kept as they came, and requests have room for what is learnt of them. */
function decorate(app: FastifyInstance): void {
  for (const property of ['admitted', 'account', 'bodyBytes', 'clientGone', 'charged']) app.decorateRequest(property, undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    request.bodyBytes = bytes;
    done(null, undefined);
  });
}

/** Every request passes the front door, and is counted and logged when it is over. */
function admitRequests(app: FastifyInstance, deps: AppDeps): void {
  const frontDoor = createFrontDoor(deps);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    // 'close' comes whether the answer was read or the client left; Fastify's own onResponse waits for the former alone.
    reply.raw.on('close', () => finished(request, reply, deps));
    refuseOldHttp(request.raw);
    const { operation, open, keyInQuery = false } = request.routeOptions.config;
    if (keyInQuery) deprecate(reply, operation!.name);
    if (open || request.is404) return;
    const admitted = await frontDoor(request, reply, { operation, keyInQuery });
    if (reply.raw.closed) admitted.release();
    else request.admitted = admitted;
  });
}

function finished(request: FastifyRequest, reply: FastifyReply, { metrics, log }: AppDeps): void {
  const delivered = reply.raw.writableFinished;
  request.admitted?.release();
  const operation = request.routeOptions.config.operation?.name;
  const status = delivered ? reply.statusCode : API_ERRORS.client_gone.status;
  metrics.requests.observe({ operation: operation ?? 'none', status }, reply.elapsedTime / 1000);
  const account = request.admitted?.account.id;
  const elapsed_ms = Math.round(reply.elapsedTime);
  const write = (charged: number | undefined): void =>
    log.info({ request_id: request.id, operation, status, elapsed_ms, account, charged }, 'request');
  if (delivered || !request.clientGone) write(request.charged);
  else void request.clientGone().then(write);
}

/** 405 with `Allow` for a path that takes another method, else 404. */
function refuseOtherPaths(app: FastifyInstance, { operations, v1 }: AppDeps): void {
  const methods = new Map([
    ...operations.map(({ name }): [string, string] => [`/v2/${name}`, 'POST']),
    ...(v1 ? operations.map(({ name }): [string, string] => [v1Path(name), 'GET']) : []),
    ...['/v2/locations', '/openapi.json', '/docs', '/'].map((path): [string, string] => [path, 'GET']),
  ]);
  app.setNotFoundHandler((request, reply) => {
    const allow = methods.get(request.url.split('?', 1)[0]!);
    if (allow !== undefined) {
      reply.header('allow', allow);
      throw new ApiError('method_not_allowed', `use ${allow}`);
    }
    throw new ApiError('unknown_operation');
  });
}
