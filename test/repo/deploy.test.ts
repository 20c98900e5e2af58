import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Settings as agentSettings } from '../../packages/agent/src/config.ts';
import { Settings as gatewaySettings } from '../../packages/gateway/src/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'vedette-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the nginx configuration is one that nginx takes', () => {
  const [key, chain] = [join(folder, 'key.pem'), join(folder, 'chain.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=vedette.example.org',
      '-keyout',
      key,
      '-out',
      chain,
    ],
    { stdio: 'ignore' },
  );
  const site = readFileSync('deploy/nginx/vedette.conf', 'utf8')
    .replace('/etc/vedette/tls/key.pem', key)
    .replace('/etc/vedette/tls/chain.pem', chain);
  const config = join(folder, 'nginx.conf');
  writeFileSync(config, `pid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp { access_log off;\n${site}\n}\n`);
  const path = `${process.env['PATH']}:/usr/sbin`;
  expect(() => execFileSync('nginx', ['-t', '-q', '-p', folder, '-c', config], { env: { ...process.env, PATH: path } })).not.toThrow();
});

it.each([
  ['deploy/systemd/vedette-gateway.service', gatewaySettings],
  ['deploy/systemd/vedette-agent.service', agentSettings],
])('%s starts what is there, with settings that exist', (path, { properties }) => {
  const unit = readFileSync(path, 'utf8');
  const [, script, main] = /^ExecStart=\/bin\/sh (\S+) (\S+)$/m.exec(unit)!;
  expect([script!, main!].filter((file) => !existsSync(file))).toEqual([]);
  expect([...unit.matchAll(/\b(VEDETTE_\w+)=/g)].map(([, name]) => name!).filter((name) => !(name in properties))).toEqual([]);
});
