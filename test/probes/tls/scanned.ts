import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@vedette/probes/net';
import { scanTls, type TlsScan } from '@vedette/probes/tls';
import { freePort } from '../../free-ports.ts';
import { loopbackPorts } from '../http/loopback-ports.ts';

type Options = Parameters<typeof scanTls>[0];

/** The scan of a server on loopback. */
export const scanned = (port: number, more: Partial<Options> & { starttls?: Options['server']['starttls'] } = {}): Promise<TlsScan> =>
  scanTls({
    server: { address: '127.0.0.1', host: 'a.test', port, starttls: more.starttls },
    serverName: 'a.test',
    dialler: loopbackPorts().dialler,
    clock: systemClock,
    ms: 60_000,
    signal: new AbortController().signal,
    ...more,
  });

/** The names of the suites of each version. */
export const suitesOf = ({ suites }: TlsScan) =>
  Object.fromEntries(Object.entries(suites).map(([version, listed]) => [version, listed.suites.map(({ name }) => name)]));

/** Certificates of openssl, `<name>.pem` and `<name>.key`. */
export function makeCertificates(): Disposable & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-tls-'));
  const make = (name: string, ...key: string[]) =>
    execFileSync(
      'openssl',
      ['req', '-x509', '-nodes', ...key, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-days', '30', '-subj', '/CN=a.test'],
      { cwd: folder, stdio: 'ignore' },
    );
  make('rsa', '-newkey', 'rsa:2048');
  make('ec', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256');
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

/** A program that serves on a port of its own, once it does. */
export async function serving(command: string, args: (port: number) => string[], cwd: string): Promise<AsyncDisposable & { port: number }> {
  const port = await freePort();
  const child = spawn(command, args(port), { cwd, stdio: 'ignore' });
  const ended = once(child, 'exit');
  for (let tries = 0; ; tries++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) break;
    if (tries > 200 || child.exitCode !== null) throw new Error(`${command} does not serve`);
    await sleep(50);
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export const openssl = (folder: string, ...args: string[]) =>
  serving('openssl', (port) => ['s_server', '-accept', String(port), '-quiet', ...args], folder);
