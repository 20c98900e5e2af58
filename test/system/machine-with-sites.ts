import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHostileDns } from './hostile-dns.ts';
import { NO_AGENTS, NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

const TTL = 300;

interface Sites {
  /** Where every host is, as the machine's resolver says; `private.test` is at 10.0.0.7. */
  address: string;
  hosts: readonly string[];
  /** Domains whose owners do not want to be measured. */
  optedOut?: readonly string[];
  /** Trusted beside Mozilla's roots, PEM. */
  root?: string;
  /** Further settings; `file` keeps a file until the machine ends, and has its path. */
  settings?(file: (name: string, content: string) => string): Record<string, string>;
}

/** Starts a machine without agents, unless `settings` name a location, whose whole DNS are a few hosts at one address. It ends with `opened`. */
export async function startMachineWithSites(
  { address, hosts, optedOut = [], root, settings }: Sites,
  opened: AsyncDisposableStack,
): Promise<OneMachine> {
  const dns = await startHostileDns((name, type) => {
    if (name === '' || name === '.') return type === 'NS' ? [{ type: 'NS', name: '.', data: 'a.root-servers.net', ttl: TTL }] : [];
    if (type === 'TXT' && optedOut.some((domain) => name === `_probe-optout.${domain}`))
      return [{ type, name, data: 'v=optout1', ttl: TTL }];
    const data = name === 'private.test' ? '10.0.0.7' : hosts.includes(name) ? address : undefined;
    if (data === undefined) return 'NXDOMAIN';
    return type === 'A' ? [{ type: 'A', name, data, ttl: TTL }] : [];
  });
  opened.defer(() => dns.close());
  const folder = mkdtempSync(join(tmpdir(), 'machine-with-sites-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const machine = await startOneMachine({
    ...NO_BROWSER,
    ...NO_AGENTS,
    VEDETTE_RESOLVERS: `127.0.0.1:${dns.port}`,
    VEDETTE_ALLOW_NETS: '127.0.0.0/8',
    VEDETTE_CONTACT: 'https://vedette.example/contact',
    ...(root !== undefined && { VEDETTE_CA_FILE: file('ca.pem', root) }),
    ...settings?.(file),
  });
  opened.defer(async () => void (await machine.stop()));
  return machine;
}

/** Asks a machine, and gives the price with the report. */
export async function askPriced(
  machine: OneMachine,
  operation: string,
  body: object,
): Promise<{ status: number; cost: number; report: any }> {
  const response = await machine.post(operation, body);
  const [, cost] = /cost=(\d+)/.exec(response.headers.get('x-service-quota') ?? '') ?? [];
  return { status: response.status, cost: Number(cost), report: await response.json() };
}
