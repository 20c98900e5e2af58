import { spawnSync } from 'node:child_process';

/** `npm run bench [name …]`: measured beside other tools, one after the other; every figure that counts is a ratio within one run. */

const BENCHES = [
  'front',
  'under-attack',
  'fan-out',
  'floods',
  'overload',
  'agent-memory',
  'rest-memory',
  'icmp',
  'trace',
  'ports',
  'http-probe',
  'http-reader',
  'fetch',
  'geo-request',
  'half-dead',
  'dns',
  'dns-codec',
  'dns-lookup',
  'spf',
  'networks',
  'ledger',
  'passive-dns',
  'ip-reputation',
  'verdicts',
  'dnstwist',
  'bulk',
  'url-status',
  'http3',
  'tls',
  'screenshot',
  'pdf',
  'eml',
  'qr',
  'console',
  'cli-start',
  'console-stream',
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no bench named ${unknown.join(', ')}; there are ${BENCHES.join(', ')}\n`);
  process.exit(1);
}
const failed = (wanted.length > 0 ? wanted : BENCHES).filter((name) => {
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', `test/bench/${name}.ts`], { stdio: 'inherit' });
  return status !== 0;
});
if (failed.length > 0) process.stderr.write(`failed: ${failed.join(', ')}\n`);
process.exit(failed.length === 0 ? 0 : 1);
