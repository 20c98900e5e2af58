import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SslWorld, startSslWorld } from '../operations/ssl-info/world.ts';
import { askPriced, startMachineWithSites } from './machine-with-sites.ts';
import type { OneMachine } from './one-machine.ts';

/** Where every server of the world is, at ports 25, 80 and 443. */
const WORLD = '127.0.0.11';

let world: SslWorld;
let machine: OneMachine;
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  if (process.getuid?.() !== 0) return;
  world = opened.use(await startSslWorld({ address: WORLD, isReal: true }));
  machine = await startMachineWithSites({ address: WORLD, hosts: [...world.hosts, 'ca.test'], root: world.root }, opened);
});
afterAll(() => opened.disposeAsync());

const ask = (body: object) => askPriced(machine, 'ssl-info', body);

describe.skipIf(process.getuid?.() !== 0)('a machine with servers of every certificate around it', () => {
  it.each<[object, boolean, string[]]>([
    [{ host: 'good.test' }, true, []],
    [{ host: 'good.test', starttls: 'smtp' }, true, []],
    [{ host: WORLD, sni: 'cdn.test' }, true, []],
    [{ host: 'incomplete.test' }, false, ['MISSING_INTERMEDIATE', 'REVOCATION_UNKNOWN']],
    [{ host: 'revoked.test' }, true, ['REVOKED']],
    [{ host: 'expired.test' }, false, ['CERT_EXPIRED']],
    [{ host: 'self-signed.test', port: 25 }, false, ['SELF_SIGNED']],
  ])('%j: valid %j, found %j', async (request, valid, found) => {
    const { status, cost, report } = await ask(request);
    expect({ status, cost, valid: report.valid_ssl, found: report.issues_found.map(({ code }: { code: string }) => code) }).toEqual({
      status: 200,
      cost: 2,
      valid,
      found,
    });
  });

  it.each([
    [{ host: 'www.state.gov' }, 'blocked_target'],
    [{ host: 'www.mit.edu' }, 'blocked_target'],
    [{ host: 'private.test' }, 'private_address'],
    [{ host: '10.0.0.7' }, 'private_address'],
    [{ host: 'good.test', port: 9_100 }, 'invalid_parameter'],
  ])('%j is refused as %s, and free', async (request, code) => {
    const { status, cost, report } = await ask(request);
    expect({ status, cost, code: report.code }).toEqual({ status: 400, cost: 0, code });
  });
});
