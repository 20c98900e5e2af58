// A whole scan of tls-check beside nmap's ssl-enum-ciphers and testssl.sh, against openssl's server on loopback: wall time, and connections as the server
// sees them. Run from the root: node test/bench/tls.ts. One JSON line per figure. testssl.sh is taken from $TESTSSL (with TESTSSL_INSTALL_DIR for its
// data), else from the PATH; without it its figures are missing, and a line says so. sslyze opens about sixty connections for the same.
import { execFile, spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { promisify } from 'node:util';
import { makeCertificates, openssl, scanned } from '../probes/tls/scanned.ts';
import { median } from './figures.ts';

const RUNS = 3;
const TESTSSL = process.env['TESTSSL'] ?? 'testssl';
const SERVER = ['-cert', 'rsa.pem', '-key', 'rsa.key', '-cipher', 'ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM', '-alpn', 'h2,http/1.1'];

const run = promisify(execFile);
const print = (figure: Record<string, unknown>) => process.stdout.write(`${JSON.stringify({ bench: 'tls', ...figure })}\n`);
const round = (value: number) => Number(value.toPrecision(3));

/** A way to the server that counts the connections. */
async function counted(port: number) {
  let connections = 0;
  const relay = createServer((socket) => {
    connections++;
    const onward = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      from
        .on('error', () => to.destroy())
        .on('close', () => to.destroy())
        .pipe(to);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const address = relay.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return { port: address.port, taken: () => connections, close: () => relay.close() };
}

const pki = makeCertificates();
const server = await openssl(pki.folder, ...SERVER);
try {
  const measured = async (title: string, runs: number, scan: (port: number) => Promise<unknown>) => {
    const all: { ms: number; connections: number }[] = [];
    for (let index = 0; index < runs; index++) {
      const way = await counted(server.port);
      const start = performance.now();
      await scan(way.port);
      all.push({ ms: performance.now() - start, connections: way.taken() });
      way.close();
    }
    const figure = { ms: round(median(all.map(({ ms }) => ms))), connections: median(all.map(({ connections }) => connections)) };
    print({ figure: title, ...figure });
    return figure;
  };
  const ours = await measured('tls-check', RUNS, (port) => scanned(port));
  const nmap = await measured('nmap --script ssl-enum-ciphers', RUNS, (port) =>
    run('nmap', ['-Pn', '-n', '-p', String(port), '--script', 'ssl-enum-ciphers', '127.0.0.1']),
  );
  print({ figure: 'time beside nmap, which looks at suites alone', ratio: round(ours.ms / nmap.ms) });
  if (spawnSync(TESTSSL, ['--version']).error) print({ figure: 'testssl.sh', missing: `${TESTSSL} is not there` });
  else {
    const testssl = await measured('testssl.sh', 1, (port) =>
      run(TESTSSL, ['--quiet', '--color', '0', '--warnings', 'off', `127.0.0.1:${port}`], { timeout: 900_000, maxBuffer: 16 << 20 }).catch(
        (error: { killed?: boolean }) => {
          // Its status is the number of its findings.
          if (error.killed) throw error;
        },
      ),
    );
    print({ figure: 'time beside testssl.sh', ratio: round(ours.ms / testssl.ms), goal: 0.1 });
  }
  print({ figure: 'connections', ours: ours.connections, goal: 'fewer than 60' });
} finally {
  await server[Symbol.asyncDispose]();
  pki[Symbol.dispose]();
}
