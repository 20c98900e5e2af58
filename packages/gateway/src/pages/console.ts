import { CONSOLE_PAGES, consoleFiles, isConsoleBuilt } from '@vedette/console';
import { ApiError } from '@vedette/contract';
import type { FastifyInstance } from 'fastify';
import { madeOnce, StaticFile } from './static-file.ts';

/**
 * The console's policy for browsers: load our own files, call our own API, show pictures that it has received. Nothing inline, no `eval`, no other
 * host, and no text that becomes markup or code (Trusted Types without a policy).
 */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; font-src 'self'; frame-src blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

const FILES = '/console/';

/** The paths without a wildcard that `registerConsole` serves. */
export const CONSOLE_PATHS: readonly string[] = CONSOLE_PAGES.filter((path) => !path.endsWith('*'));

/** Serves the console. Its files are read at the first request; where no set-up has built them, `/` leads to the reference page. */
export function registerConsole(app: FastifyInstance): void {
  const open = { config: { open: true, page: true }, exposeHeadRoute: true };
  if (!isConsoleBuilt()) {
    app.log.warn('the console is not built, and / leads to /docs: sh scripts/setup.sh builds it');
    app.get('/', open, (_request, reply) => reply.redirect('/docs', 302));
    return;
  }
  const files = madeOnce(async () => new Map(consoleFiles().map((file) => [file.name, StaticFile.built(file)])));
  for (const path of CONSOLE_PAGES)
    app.get(path, open, async (request, reply) => (await files()).get('index.html')!.send(request, reply.headers(HEADERS)));
  app.get<{ Params: { name: string } }>(`${FILES}:name`, open, async (request, reply) => {
    const file = (await files()).get(request.params.name);
    if (file === undefined || request.params.name === 'index.html') throw new ApiError('unknown_operation');
    // Its name holds its hash.
    return file.send(request, reply.headers(HEADERS), file.version);
  });
}
