import { hash } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { madeOnce, StaticFile } from './static-file.ts';

/**
 * The page's security headers: no framing, nothing from other hosts, and of the scripts in the page only those with these hashes. The sandbox gives it an
 * origin of its own, so that its scripts, which are not ours, can neither read the key in the console's storage nor call the API.
 */
const pageHeaders = (hashes: readonly string[]) => ({
  'content-security-policy': `default-src 'self'; script-src ${["'self'", ...hashes].join(' ')}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox allow-scripts allow-popups allow-downloads`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
});

/** Files that browsers request with every page. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b3d4f"/><g fill="none" stroke="#7fd8e8" stroke-width="2.5"><path d="M6 20a10 10 0 0 1 20 0"/><path d="M11 20a5 5 0 0 1 10 0"/></g><circle cx="16" cy="20" r="2.5" fill="#fff"/></svg>';

/** The package's placeholder for a key, a joke in Base64 that looks like a real key. */
const LEAKED_KEY = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';

/** A page with an origin of its own has no storage, without which the package's script ends: it is given one that lasts as long as the page. */
const STORAGE = `for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map();
  Object.defineProperty(window, name, { value: {
    get length() { return kept.size; },
    key: (i) => [...kept.keys()][i] ?? null,
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
  } });
}
`;

const SCRIPT = '/docs/js/scalar.js';
const FAVICON = '/favicon.ico';

/** The files that `registerDocs` serves. */
export const DOCS_PATHS: readonly string[] = ['/docs', SCRIPT, FAVICON];

/**
 * Serves the reference page at /docs from files of our own. The page's 4 MB script is loaded at the first request: it would double the
 * memory of a gateway whose page is never read.
 */
export function registerDocs(app: FastifyInstance): void {
  const files = madeOnce(loadFiles);
  const open = { config: { open: true, page: true }, exposeHeadRoute: true };
  app.get('/docs', open, async (request, reply) => {
    const { page, headers } = await files();
    return page.send(request, reply.headers(headers));
  });
  const icon = madeOnce(() => StaticFile.of(ICON, 'image/svg+xml'));
  app.get(FAVICON, open, async (request, reply) => (await icon()).send(request, reply));
  app.get<{ Querystring: { v?: unknown } }>(SCRIPT, open, async (request, reply) => {
    const { script, headers } = await files();
    return script.send(request, reply.headers(headers), request.query.v);
  });
}

/** Takes both from the package's own plugin, once. */
async function loadFiles(): Promise<{ page: StaticFile; script: StaticFile; headers: ReturnType<typeof pageHeaders> }> {
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
      // Its origin may call nothing; the console has forms for all operations.
      hideTestRequestButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      // Its readers know an operation by its name.
      operationTitleSource: 'path',
      authentication: { preferredSecurityScheme: 'apiKey' },
    },
  });
  const textOf = async (url: string): Promise<string> => (await pages.inject({ url })).body;
  const code = STORAGE + (await textOf(SCRIPT)).replaceAll(LEAKED_KEY, 'vdt_…');
  const script = await StaticFile.of(code, 'application/javascript; charset=utf-8');
  // The page names its script relative to /docs/; it is shown at /docs. With its version in the URL it is fetched once.
  const html = (await textOf('/docs/')).replace('src="js/scalar.js"', `src="${SCRIPT}?v=${script.version}"`);
  await pages.close();
  const inline = [...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].flatMap(([, code]) => code || []);
  const hashes = inline.map((code) => `'sha256-${hash('sha256', code, 'base64')}'`);
  return { page: await StaticFile.of(html, 'text/html; charset=utf-8'), script, headers: pageHeaders(hashes) };
}
