import type { IncomingMessage } from 'node:http';
import { API_ERRORS, ApiError, type ApiErrorCode } from '@vedette/contract';
import type { Operation } from '@vedette/operations/kit';
import type { Account, Role } from '@vedette/ledger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE, securityHeaders, setQuota } from '../door/answer-headers.ts';
import { bulkRoutes } from '../bulk/route.ts';
import { BULK_BODY_BYTES } from '../bulk/schemas.ts';
import { leastRole } from '../door/closed-by.ts';
import { type Connection, Connections } from '../door/connections.ts';
import type { GatewaySettings } from '../config/config.ts';
import { registerCors } from './cors.ts';
import { registerConsole } from '../pages/console.ts';
import { registerDocs } from '../pages/docs.ts';
import { handleError, toApiError } from '../door/error-handler.ts';
import { type Admitted, bodyLimitOf, createFrontDoor, type Destination, keyInHeaders, type NamedLimit } from '../door/front-door.ts';
import { openServer } from './http-server.ts';
import { straysOf } from '../fleet/name-comparison.ts';
import { registerMcp } from '../mcp/route.ts';
import { listLocations, LOCATIONS } from '../locations/list-locations.ts';
import { openApi } from '../api-description/openapi.ts';
import { inPieces, PIECE_BYTES } from './pieces.ts';
import { registerKeptAnswer } from './kept-answer.ts';
import { registerOperation } from './operation-route.ts';
import { otherPaths } from './other-paths.ts';
import { OVERLOADED, Overload, STRANGERS } from '../door/overload.ts';
import { registerOperators } from '../operators/routes.ts';
import { registerProbe } from '../probe/route.ts';
import { Refusals } from '../door/refusals.ts';
import { registerSignIn } from '../sign-in/routes.ts';
import { callable, type Left } from '../request/service.ts';
import { madeOnce, StaticFile } from '../pages/static-file.ts';
import { deprecate, registerV1 } from './v1.ts';
import type { Parts } from '../request/parts.ts';
import type { Entries } from '../request/work.ts';

const MAX_PATH_CHARS = 200;

/** The limits that keep the app from overload. */
interface Guards {
  connections: Connections;
  overload: Overload;
  refusals: Refusals;
  /** The headers of every answer. */
  headers: Readonly<Record<string, string>>;
  waiting: WeakSet<IncomingMessage>;
}

/** The facts about a request at its arrival. */
interface Arrival {
  connection: Connection | undefined;
  config: FastifyRequest['routeOptions']['config'];
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted | undefined;
    /** The account of the key, once it is known. */
    account: Account | undefined;
    /** Body bytes as received: what an Idempotency-Key stands for. */
    bodyBytes: Buffer | undefined;
    /** Set once work is under way: to be called when the client leaves. */
    clientGone: (() => Promise<Left>) | undefined;
    /** Frees the memory that is kept for its answer: called when the answer has left, or the client has. */
    releaseAnswer: (() => void) | undefined;
    /** Credits that its answer cost. */
    charged: number | undefined;
    /** How many locations, or items, answered, and how many did not. */
    entries: Entries | undefined;
    /** Why it was refused. */
    refusal: ApiError | undefined;
    /** The error that its event stream ended with. */
    streamError: ApiErrorCode | undefined;
    /** Its client keeps the body back until it is told to go on. */
    waitsForContinue: boolean;
  }
  interface FastifyContextConfig {
    operation?: Operation;
    /** Many items at once. */
    bulk?: boolean;
    /** Wants no key. */
    open?: boolean;
    /** A page for people: admitted like requests without an account, and refused before them when there is no room. */
    page?: boolean;
    /** The permissions of a key besides operations. */
    permission?: string;
    /** The least role that may ask; default analyst, and viewer for an operation that is free. */
    role?: Role;
    /** Rate of a path that is not an operation's. */
    limit?: NamedLimit;
    /** Requires a body of JSON where there is no operation. */
    json?: boolean;
    /** v1: the key is the query parameter `key`, and there is no body. */
    keyInQuery?: boolean;
    /** The key may be a bearer token. */
    bearer?: boolean;
    /** Prometheus asks: errors are text. */
    scraped?: boolean;
  }
}

/** Only HTTP/1.0 and 1.1, and 1.1 with a Host (RFC 9112 §3.2): node's parser also takes the bare line of HTTP/0.9. */
function refuseOldHttp({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion !== '1.0' && (httpVersion !== '1.1' || headers.host === undefined)) throw new ApiError('bad_request');
}

/** The API: one POST per operation, and the pages and lists around them. */
export function createApp(operations: readonly Operation[], parts: Parts): FastifyInstance {
  const { config, clock, log, metrics, ledger, addresses, calls, state } = parts;
  const { settings } = config;
  const tls = tlsFiles(settings);
  const limited = settings.VEDETTE_LIMITS === 'on';
  const v1 = settings.VEDETTE_V1 === 'on';
  const docs = settings.VEDETTE_DOCS === 'on';
  const guards: Guards = {
    connections: new Connections({ addresses, metrics, clock, limits: parts.connectionLimits }),
    overload: new Overload({ clock, metrics, limited }),
    refusals: new Refusals({ clock, log, limited }),
    headers: securityHeaders(tls !== undefined),
    waiting: new WeakSet(),
  };
  const { refusals, overload } = guards;
  const app = openServer({ log, tls, ...guards });
  decorate(app);
  sendInPieces(app);
  app.addHook('onClose', () => {
    refusals.close();
    overload.close();
  });
  app.setErrorHandler((error, request, reply) => {
    const refusal = toApiError(error);
    const account = request.account ?? (OF_THE_REQUEST.has(refusal.code) ? rememberedAccount(request, parts) : undefined);
    if (account) setQuota(reply, ledger, account, 0);
    return handleError(refusal, request, reply, refusals);
  });
  // Before whatever may refuse: a page must be able to read why.
  registerCors(app, config.corsOrigins);
  admitRequests(app, parts, guards, otherPaths({ operations, v1, docs }));
  // No connection is left by then, but what clients have left behind may still be settled.
  app.addHook('onClose', () => calls.idle());
  const registerBulk = bulkRoutes(app, parts);
  const callables = operations.map((operation) => callable(operation, parts));
  for (const ready of callables) {
    registerOperation(app, ready, ledger);
    registerBulk(ready);
    if (v1) registerV1(app, ready, ledger);
  }
  registerMcp(app, callables, parts);
  registerProbe(app, parts);
  registerOperators(app, parts, operations);
  app.get('/v2/locations', { config: { permission: LOCATIONS, role: 'viewer' }, exposeHeadRoute: true }, (request, reply) => {
    setQuota(reply, ledger, request.account!, 0);
    return reply
      .headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store' })
      .send(JSON.stringify(listLocations(parts.fleet, config.catalogue, straysOf(parts.intel.health, parts.fleet.presence))));
  });
  registerKeptAnswer(app, ledger);
  const description = madeOnce(() => StaticFile.of(JSON.stringify(openApi(operations)), JSON_TYPE));
  app.get('/openapi.json', { config: { open: docs, page: docs }, exposeHeadRoute: true }, async (request, reply) => {
    // Anyone may read it; /docs, whose sandbox makes it a stranger here, has to.
    if (docs && !reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-origin', '*');
    return (await description()).send(request, reply);
  });
  app.get('/healthz', { config: { open: true }, exposeHeadRoute: true }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (state.stopping) throw new ApiError('draining');
    return { status: 'ok' };
  });
  if (docs) {
    registerDocs(app);
    registerConsole(app);
    registerSignIn(app, parts);
  }
  return app;
}

/**
 * Refusals from before the key was looked at that say its quota all the same. No others: a blocked address would learn whether a key is
 * good, and a refusal under overload would cost a hash.
 */
const OF_THE_REQUEST: ReadonlySet<ApiErrorCode> = new Set<ApiErrorCode>([
  'unknown_operation',
  'method_not_allowed',
  'unsupported_media_type',
  'body_too_large',
]);

/** The account of the key, if it is known without the database and the client's address is not blocked. */
function rememberedAccount({ raw: { headers, socket }, routeOptions }: FastifyRequest, { ledger, addresses }: Parts): Account | undefined {
  const { keyInQuery, bearer = false } = routeOptions.config;
  const key = keyInHeaders(headers, bearer);
  if (typeof key !== 'string' || keyInQuery) return undefined;
  if (ledger.blockedFor(addresses.read(socket.remoteAddress ?? '', headers['x-forwarded-for']?.toString()), 'header') > 0) return undefined;
  const recalled = ledger.recall(key);
  return recalled && !recalled.suspended ? recalled.account : undefined;
}

const tlsFiles = ({ VEDETTE_TLS_CERT_FILE: certFile, VEDETTE_TLS_KEY_FILE: keyFile }: GatewaySettings) =>
  certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };

/** Bodies are kept as they came, and requests have room for what is learnt of them. */
function decorate(app: FastifyInstance): void {
  app.decorateRequest('waitsForContinue', false);
  for (const property of [
    'admitted',
    'account',
    'bodyBytes',
    'clientGone',
    'releaseAnswer',
    'charged',
    'entries',
    'refusal',
    'streamError',
  ])
    app.decorateRequest(property, undefined);
  app.removeAllContentTypeParsers();
  // Named for its cache: behind '*' alone Fastify parses the content type of each request.
  app.addContentTypeParser<Buffer>(['application/json', '*'], { parseAs: 'buffer' }, (request, bytes, done) => {
    request.bodyBytes = bytes;
    done(null, undefined);
  });
}

/** Long reports leave in pieces, so that a slow reader is seen to read. */
function sendInPieces(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length <= PIECE_BYTES) return done();
    const body = Buffer.from(payload);
    reply.header('content-length', body.length);
    done(null, inPieces(body));
  });
}

/** The operation by which metrics and the log count a request: bulk requests apart, since they take as long as their items. */
function countedName({ operation, bulk, scraped, permission }: Arrival['config']): string | undefined {
  if (operation) return bulk ? `${operation.name}/bulk` : operation.name;
  return scraped ? permission : undefined;
}

const destinationOf = ({
  operation,
  permission,
  role,
  limit,
  json = false,
  bulk,
  keyInQuery = false,
  bearer = false,
}: Arrival['config']): Destination => ({
  operation,
  limit,
  json,
  permission: operation?.name ?? permission,
  role: role ?? (operation ? leastRole(operation) : 'analyst'),
  keyInQuery,
  bodyLimit: bulk ? BULK_BODY_BYTES : bodyLimitOf(operation),
  bearer,
  // Programs ask the others, and send keys.
  people: !bearer && !keyInQuery,
});

/** Every request passes the front door, and is counted and logged when it is over. */
function admitRequests(
  app: FastifyInstance,
  parts: Parts,
  { connections, overload, refusals, headers, waiting }: Guards,
  refuseOtherPaths: ReturnType<typeof otherPaths>,
): void {
  const { metrics, log } = parts;
  const frontDoor = createFrontDoor(parts, overload);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).headers(headers);
    const { raw } = request;
    const { config } = request.routeOptions; // made anew each time that it is read
    const connection = connections.begin(raw, reply.raw);
    if (raw.socket.destroyed) return void reply.hijack(); // what came with too many others
    // 'close' comes whether the answer was read or the client left; Fastify's own onResponse waits for the former alone.
    reply.raw.on('close', () => finished(request, reply, { connection, config }));
    const waits = waiting.has(raw);
    request.waitsForContinue = waits;
    refuseOldHttp(raw);
    if (request.is404) refuseOtherPaths(request, reply);
    const { operation, open, page, keyInQuery } = config;
    if (keyInQuery) deprecate(reply, operation!.name);
    if (page) enterAsStranger(reply);
    if (!open) {
      const admitted = await frontDoor(request, reply, destinationOf(config));
      if (reply.raw.closed) {
        admitted.release();
        return void reply.hijack(); // its client left meanwhile: no answer is possible
      }
      request.admitted = admitted;
    }
    if (!waits) return;
    request.waitsForContinue = false;
    reply.raw.writeContinue();
  });

  function enterAsStranger(reply: FastifyReply): void {
    const visit = overload.enter(STRANGERS);
    if (visit === undefined) throw OVERLOADED;
    reply.raw.on('close', () => visit.release());
  }

  function finished(request: FastifyRequest, reply: FastifyReply, { connection, config }: Arrival): void {
    const { admitted, refusal, clientGone, releaseAnswer } = request;
    admitted?.release();
    releaseAnswer?.();
    if (connection) connections.end(connection);
    const delivered = reply.raw.writableFinished;
    const operation = countedName(config);
    const status = delivered ? reply.statusCode : API_ERRORS.client_gone.status;
    metrics.requests.observe({ operation: operation ?? 'none', status }, reply.elapsedTime / 1000);
    const code = delivered ? (refusal?.code ?? request.streamError) : 'client_gone';
    if (code !== undefined) metrics.errors.inc({ operation: operation ?? 'none', code });
    const line = () => ({
      request_id: request.id,
      method: request.method,
      // The path of a missing page, without the query, where v1 has keys.
      route: config.url ?? request.url.split('?', 1)[0]!.slice(0, MAX_PATH_CHARS),
      operation,
      status,
      code,
      elapsed_ms: Math.round(reply.elapsedTime),
      account: admitted?.account.id,
      key: admitted?.account.keyId,
      entries: request.entries,
    });
    // Requests with work have a line; refusals, and requests without a key, may come by the thousand.
    const worked = admitted !== undefined && (refusal === undefined || refusal.code === 'deadline' || refusal.code === 'internal');
    if (!delivered && clientGone) void clientGone().then((left) => log.info({ ...line(), ...left }, 'request'));
    else if (worked) log.info({ ...line(), charged: request.charged }, 'request');
    else if (status >= 400) refusals.log({ operation, status, code: code ?? 'none' }, () => ({ ...line(), err: refusal?.cause }));
  }
}
