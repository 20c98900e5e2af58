import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';

/** What every page of ours says to browsers: no framing, no guessing, nothing from elsewhere. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/**
 * Serves the reference page at /docs from files of our own. The page's 4 MB script is loaded when somebody first asks:
 * it would double the memory of a gateway that nobody reads about.
 */
export function registerDocs(app: FastifyInstance): void {
  let pages: Promise<FastifyInstance> | undefined;
  const page = async (url: string, reply: FastifyReply): Promise<FastifyReply> => {
    pages ??= loadPages();
    const { statusCode, headers, body } = await (await pages).inject({ url });
    // The page names its script relative to /docs/; it is shown at /docs.
    const text = body.replace('src="js/scalar.js"', 'src="/docs/js/scalar.js"');
    return reply.code(statusCode).headers(PAGE_HEADERS).header('content-type', headers['content-type']).send(text);
  };
  const open = { config: { open: true } };
  app.get('/', open, (_request, reply) => reply.redirect('/docs', 302));
  app.get('/docs', open, (_request, reply) => page('/docs/', reply));
  app.get('/docs/js/scalar.js', open, (_request, reply) => page('/docs/js/scalar.js', reply));
}

async function loadPages(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const pages = fastify();
  await pages.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Vedette API',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      authentication: { preferredSecurityScheme: 'apiKey' },
    },
  });
  await pages.ready();
  return pages;
}
