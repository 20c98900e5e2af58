import { afterAll, beforeAll, describe } from 'vitest';
import { isBrief } from '../runs.ts';
import { createDatabase, ENGINES, startServer, type TestServer } from './servers.ts';

/** Describes a behaviour once for each engine, on a server of its own that ends with the tests. The unit tests of `npm test` have our own binaries alone. */
export function describeOnEveryEngine(name: string, tests: (database: () => Promise<string>, server: () => TestServer) => void): void {
  describe.each(isBrief ? ENGINES.slice(0, 1) : ENGINES)(`${name} on %s PostgreSQL`, (engine) => {
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
