import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import type { Connections } from '../door/connections.ts';
import { handleClientError, handleError } from '../door/error-handler.ts';
import { BODY_LIMIT_BYTES } from '../door/front-door.ts';
import type { Refusals } from '../door/refusals.ts';

/** Node's own options, whether TLS ends here or not. The check for a Host is ours: node's answer has no body. */
const HTTP_OPTIONS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
  handshakeTimeout: 5_000, // of TLS
  requireHostHeader: false,
};

export interface ServerOptions {
  log: FastifyBaseLogger;
  tls: { certFile: string; keyFile: string } | undefined;
  connections: Connections;
  refusals: Refusals;
  /** The headers of every answer. */
  headers: Readonly<Record<string, string>>;
  /** Requests that keep their body until they are told to go on. */
  waiting: WeakSet<IncomingMessage>;
}

/** The listener of the API: its limits of size and time, and what it says where no route does. */
export function openServer({ log, tls, connections, refusals, headers, waiting }: ServerOptions): FastifyInstance {
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
    frameworkErrors: (error, request, reply) =>
      void handleError(error, request, reply.headers({ ...headers, 'x-request-id': request.id }), refusals),
    clientErrorHandler: (error, socket) => handleClientError(error, socket, connections.of(socket), headers),
  } satisfies FastifyServerOptions;
  const app = tls
    ? fastify({ ...options, https: { ...HTTP_OPTIONS, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) } })
    : fastify({ ...options, http: HTTP_OPTIONS });
  connections.guard(app.server, tls !== undefined);
  // Told to go on when the front door has let it in, and not before (RFC 9110 §10.1.1).
  app.server.on('checkContinue', (request, response) => {
    waiting.add(request);
    app.server.emit('request', request, response);
  });
  // Expectations beyond 100-continue are ignored; node would answer with a bare 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
}

/**
 * Listens by Fastify, so that its `close` ends it, and at one address: for `localhost` Fastify would open a second server whose connections
 * are not counted.
 */
export async function listenAt(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port });
  return app.server.address() as AddressInfo;
}
