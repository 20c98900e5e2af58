import { afterAll, beforeAll, describe } from 'vitest';
import { isBrief } from '../runs.ts';
import { createDatabase, ENGINES, startServer, type TestServer } from './servers.ts';

/** The engines that a run tries. */
export const TRIED_ENGINES = isBrief ? ENGINES.slice(0, 1) : ENGINES;

/** Describes a behaviour once for each engine, on a server of its own that ends with the tests. `npm test` has our own binaries alone. */
export function describeOnEveryEngine(name: string, tests: (database: () => Promise<string>, server: () => TestServer) => void): void {
  describe.each(TRIED_ENGINES)(`${name} on %s PostgreSQL`, (engine) => {
    let server: TestServer | undefined;
    beforeAll(async () => {
      server = await startServer(engine);
    });
    afterAll(async () => {
      await server?.stop();
    });
    tests(
      () => createDatabase(server!),
      () => server!,
    );
  });
}
