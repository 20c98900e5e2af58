import type { FastifyInstance } from 'fastify';

const METHODS = 'GET, HEAD, POST, OPTIONS';
/** The last line has those of MCP clients. */
const REQUEST_HEADERS =
  'Content-Type, X-API-Key, Idempotency-Key, Accept, Last-Event-ID, ' +
  'Authorization, MCP-Protocol-Version, MCP-Session-Id, Mcp-Method, Mcp-Name, Vedette-Max-Credits, Vedette-Tools';
const ANSWER_HEADERS = 'X-Request-Id, X-Service-Quota, Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate';

/** Lets browsers of the configured origins call the API (Fetch standard, §3.3). Without origins nothing is registered. */
export function registerCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    reply.header('vary', 'Origin');
    if (origin === undefined || !allowed.has(origin)) return;
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', ANSWER_HEADERS);
  });
  app.options('/*', { config: { open: true } }, (_request, reply) =>
    reply
      .code(204)
      .header('access-control-allow-methods', METHODS)
      .header('access-control-allow-headers', REQUEST_HEADERS)
      .header('access-control-max-age', '600')
      .send(),
  );
}
