import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkout, hasTerraform } from './checkout.ts';
import { CLOUD_INIT, cloudInitEnvironment, filesOf, hasCloudInit } from './user-data.ts';

// The scripts that machines are given, as Terraform renders them; below a folder instead of the root, with programs in the place of the machine's own.
const SEED = `SU${'A'.repeat(56)}`;
const root = mkdtempSync(join(tmpdir(), 'vedette-machine-'));
const bin = join(root, 'bin');
const told = join(root, 'told');
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A program of the machine, as a shell script. What it is called with stands in `told`. */
function program(name: string, script: string): void {
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >>'${told}'\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}
const calls = (): string[] => (existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : []);

/** A sleep that ends the script that wanted to: tests do not wait. */
const WAITED = 'kill -9 $PPID';

interface Ended {
  status: number | string | null | undefined;
  said: string;
}
/** Runs a script of the machine to its end. */
function run(script: string, env: Record<string, string> = {}): Promise<Ended> {
  const file = join(root, 'script');
  writeFileSync(file, script.replaceAll(/(?<![\w.])\/(opt|etc|run|usr\/local)\//g, `${root}/$1/`));
  return new Promise((resolve) => {
    const options = { timeout: 20_000, env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, ...env } };
    execFile('sh', [file], options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : (error.code ?? error.signal), said: stdout + stderr }),
    );
  });
}

beforeEach(() => {
  for (const path of ['bin', 'told', 'opt', 'etc', 'run']) rmSync(join(root, path), { recursive: true, force: true });
  for (const path of ['opt', 'etc/vedette', 'run/vedette', 'usr/local/sbin']) mkdirSync(join(root, path), { recursive: true });
  program('systemctl', '');
});

describe.skipIf(!hasTerraform)('an agent that runs an artifact', () => {
  const place = checkout();
  afterAll(place.remove);
  const tls = { key: join(root, 'tls.key'), cert: join(root, 'tls.pem') };
  const served = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const body = served.get(request.url ?? '');
    response.statusCode = body === undefined ? 404 : 200;
    response.end(body);
  });
  afterAll(() => void server.close());

  /** A tar.gz of a folder with programs in it. */
  const packed = (folder: string, programs: Record<string, string>): Buffer => {
    const from = mkdtempSync(join(root, 'pack-'));
    for (const [path, script] of Object.entries(programs)) {
      mkdirSync(join(from, folder, path, '..'), { recursive: true });
      writeFileSync(join(from, folder, path), `#!/bin/sh\n${script}\n`);
      chmodSync(join(from, folder, path), 0o755);
    }
    return execFileSync('tar', ['-czf', '-', '-C', from, folder]);
  };
  const artifact = packed('agent', { vedette: 'echo "vedette, on $("$(dirname "$0")/node")"' });
  const node = packed('package', { 'bin/node': 'echo v26.0.0' });

  let userData = '';
  let files = new Map<string, string>();
  beforeAll(async () => {
    const curve = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
    ];
    execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', tls.key, '-out', tls.cert], { stdio: 'ignore' });
    server.setSecureContext({ key: readFileSync(tls.key), cert: readFileSync(tls.cert) });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const variables = {
      location: 'eu-fra',
      nats_url: 'tls://bus.example.org:4222',
      credentials_command: `store_of 'eu-fra'`,
      artifact: { url: `${url}/agent.tgz`, sha256: createHash('sha256').update(artifact).digest('hex') },
      node: { url: `${url}/node.tgz`, integrity: `sha512-${createHash('sha512').update(node).digest('base64')}` },
    };
    writeFileSync(join(place.folder, 'terraform/agent/terraform.tfvars.json'), JSON.stringify(variables));
    await place.terraform('agent', 'init', '-input=false');
    await place.terraform('agent', 'apply', '-auto-approve', '-input=false');
    userData = await place.terraform('agent', 'output', '-raw', 'user_data');
    files = filesOf(userData);
  });
  const script = (path: string): string => files.get(path) ?? '';
  const install = (): Promise<Ended> => run(script('/usr/local/sbin/vedette-install'), { CURL_CA_BUNDLE: tls.cert });

  it('installs what has the hashes that it must have, and starts the agent', async () => {
    served.set('/agent.tgz', artifact).set('/node.tgz', node);
    expect(await install()).toEqual({ status: 0, said: 'vedette, on v26.0.0\n' });
    expect(execFileSync(join(root, 'opt/vedette-agent/vedette'), { encoding: 'utf8' })).toBe('vedette, on v26.0.0\n');
    expect(calls()).toEqual(['systemctl daemon-reload', 'systemctl enable --now --no-block vedette-agent']);
    // Once more, as after a machine that was stopped in the middle.
    expect((await install()).status).toBe(0);
  });

  it.each([
    ['another agent', '/agent.tgz', packed('agent', { vedette: 'echo evil' }), 'agent.tgz: FAILED'],
    ['another Node', '/node.tgz', packed('package', { 'bin/node': 'echo evil' }), 'that is another Node'],
    ['nothing', '/agent.tgz', undefined, '404'],
  ])('installs nothing where it is given %s, and leaves what there was', async (_, path, body, says) => {
    served.set('/agent.tgz', artifact).set('/node.tgz', node);
    expect((await install()).status).toBe(0);
    rmSync(told);
    if (body === undefined) served.delete(path);
    else served.set(path, body);
    const { status, said } = await install();
    expect(status).not.toBe(0);
    expect(said).toContain(says);
    expect(execFileSync(join(root, 'opt/vedette-agent/vedette'), { encoding: 'utf8' })).toBe('vedette, on v26.0.0\n');
    expect(calls()).toEqual([]);
  });

  it('has its key from the store, that of last time where the store is away, and waits where there is none', async () => {
    const key = join(root, 'run/vedette/agent.nkey');
    const fetchKey = (): Promise<Ended> => run(script('/usr/local/sbin/vedette-agent-key'));
    program('sleep', WAITED);
    program('store_of', 'echo "no such secret" >&2; exit 1');
    expect(await fetchKey()).toEqual({ status: 'SIGKILL', said: expect.stringContaining('asked again in 15 s') });
    program('store_of', 'echo "<html>not found</html>"');
    expect((await fetchKey()).status).toBe('SIGKILL');
    expect(existsSync(key)).toBe(false);

    program('store_of', `echo ${SEED}`);
    expect(await fetchKey()).toEqual({ status: 0, said: '' });
    expect(readFileSync(key, 'utf8')).toBe(`${SEED}\n`);
    expect(calls().at(-1)).toBe('store_of eu-fra');
    expect(execFileSync('stat', ['-c', '%a', key], { encoding: 'utf8' })).toBe('600\n');

    program('store_of', 'exit 1');
    expect(await fetchKey()).toEqual({ status: 0, said: expect.stringContaining('the key of last time is used') });
    expect(readFileSync(key, 'utf8')).toBe(`${SEED}\n`);
  });

  it('is told so by user data that cloud-init takes', ({ skip }) => {
    if (!hasCloudInit) skip('no cloud-init: scripts/setup.sh test unpacks it where apt-get can fetch it');
    const file = join(root, 'user-data.yaml');
    writeFileSync(file, userData);
    const args = [CLOUD_INIT, 'schema', '--config-file', file];
    expect(execFileSync('/usr/bin/python3', args, { env: cloudInitEnvironment, encoding: 'utf8' })).toContain('Valid cloud-config');
  });

  it('runs under a unit that systemd takes', () => {
    const units = join(root, 'units');
    for (const [path, content] of files) {
      const [, unit] = /^\/etc\/systemd\/system\/(.+)$/.exec(path) ?? [];
      if (unit === undefined) continue;
      mkdirSync(join(units, unit, '..'), { recursive: true });
      // What it starts is not on this machine.
      writeFileSync(join(units, unit), content.replaceAll(/^ExecStart=\/.*$/gm, 'ExecStart=/bin/true'));
    }
    const env = { ...process.env, SYSTEMD_UNIT_PATH: `${units}:`, SYSTEMD_LOG_LEVEL: 'warning' };
    const said = execFileSync('systemd-analyze', ['verify', '--man=no', 'vedette-agent.service', 'vedette-agent-key.service'], {
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(said).toBe('');
    expect(script('/etc/systemd/system/vedette-agent.service')).toContain('\nExecStart=/opt/vedette-agent/vedette agent\n');
  });
});

describe.skipIf(!hasTerraform)('machines of the core', () => {
  const place = checkout();
  afterAll(place.remove);
  const rendered = new Map<string, string>();
  beforeAll(async () => {
    const variables = {
      bus: `{ region = "eu-central-1", secret = "vedette/nats-1" }`,
      secrets: `{ region = "eu-central-1", key = "vedette/gateway-1", role = "gateway", database = "db.example.org:5432/vedette", secrets = { database = "vedette/database", operator = "vedette/operator" } }`,
    };
    const outputs = Object.entries(variables).map(
      ([name, with_]) => `output "${name}" {\n  value = templatefile("../aws-core/${name}.sh.tftpl", ${with_})\n}\n`,
    );
    mkdirSync(join(place.folder, 'terraform/rendered'));
    writeFileSync(join(place.folder, 'terraform/rendered/main.tf'), outputs.join(''));
    await place.terraform('rendered', 'init', '-input=false');
    await place.terraform('rendered', 'apply', '-auto-approve', '-input=false');
    for (const name of Object.keys(variables)) rendered.set(name, await place.terraform('rendered', 'output', '-raw', name));
  });
  /** The secret store: what it has, by name. */
  const store = (secrets: Record<string, string>): void => {
    const cases = Object.entries(secrets).map(([name, value]) => `*"--secret-id ${name} "*) echo '${value}' ;;`);
    program('aws', `case "$*" in ${cases.join('\n')}\n*) echo 'ResourceNotFoundException' >&2; exit 254 ;; esac`);
  };
  beforeEach(() => program('sleep', WAITED));

  it('a gateway has its key, password and token from the store, all or none of them', async () => {
    const fetchSecrets = (): Promise<Ended> => run(rendered.get('secrets')!);
    const whole = { 'vedette/gateway-1': SEED, 'vedette/database': 'pass', 'vedette/operator': 'token' };
    for (const missing of Object.keys(whole)) {
      store(Object.fromEntries(Object.entries(whole).filter(([name]) => name !== missing)));
      expect(await fetchSecrets()).toEqual({ status: 'SIGKILL', said: expect.stringContaining('has not everything') });
      expect(existsSync(join(root, 'run/vedette/secrets.env')) || existsSync(join(root, 'run/vedette/bus.nkey'))).toBe(false);
    }
    store({ ...whole, 'vedette/gateway-1': 'none' });
    expect((await fetchSecrets()).said).toContain('no nkey seed');

    store(whole);
    expect(await fetchSecrets()).toEqual({ status: 0, said: '' });
    const secrets = readFileSync(join(root, 'run/vedette/secrets.env'), 'utf8');
    expect(secrets.replaceAll(root, '')).toBe(
      'VEDETTE_DATABASE_URL=postgresql://vedette:pass@db.example.org:5432/vedette?sslmode=verify-full&sslrootcert=/etc/vedette/rds-ca.pem\nVEDETTE_ADMIN_TOKEN=token\n',
    );
    expect(readFileSync(join(root, 'run/vedette/bus.nkey'), 'utf8')).toBe(`${SEED}\n`);
    expect(execFileSync('stat', ['-c', '%a', join(root, 'run/vedette/secrets.env')], { encoding: 'utf8' })).toBe('600\n');
    store({});
    expect(await fetchSecrets()).toEqual({ status: 0, said: expect.stringContaining('what it said last time is used') });
  });

  it('a server of the bus takes over a configuration once, and none that nats-server would not take', async () => {
    const update = (): Promise<Ended> => run(rendered.get('bus')!);
    const publish = (files: Record<string, string>): void => {
      const folder = mkdtempSync(join(root, 'bus-'));
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      store({ 'vedette/nats-1': execFileSync('tar', ['-czf', '-', '-C', folder, '.']).toString('base64') });
    };
    // Its user is not on this machine.
    program('chown', '');
    execFileSync('sh', ['-c', `ln -sf "$(PATH="$PATH:/usr/sbin" command -v nats-server)" '${root}/usr/local/sbin/nats-server'`]);
    const restarts = (): number => calls().filter((call) => call === 'systemctl reload-or-restart vedette-nats').length;

    store({});
    expect(await update()).toEqual({ status: 'SIGKILL', said: expect.stringContaining('asked again in 15 s') });
    publish({ 'nats-server.conf': 'port: 4222\ninclude "own.conf"\n', 'own.conf': 'max_payload: 1MB\n' });
    expect((await update()).status).toBe(0);
    expect(restarts()).toBe(1);
    expect(calls()).toContainEqual(expect.stringMatching(/^chown -R root:vedette-nats /));
    expect((await update()).status).toBe(0);
    expect(restarts()).toBe(1);

    publish({ 'nats-server.conf': 'port: nowhere\n' });
    for (const _ of [1, 2]) expect((await update()).status).toBe(1);
    expect(restarts()).toBe(1);
    publish({ 'nats-server.conf': 'port: 4223\n' });
    expect((await update()).status).toBe(0);
    expect(restarts()).toBe(2);
    store({});
    expect(await update()).toEqual({ status: 0, said: expect.not.stringContaining('asked again') });
  });
});

describe('regions.sh', () => {
  const list = (args: string[], workspaces = 'default', failing = ''): Promise<Ended> => {
    cpSync('terraform/examples/aws/regions.sh', join(root, 'opt/regions.sh'));
    writeFileSync(join(root, 'opt/regions.txt'), '# ours\neu-central-1\n#us-west-1\nus-east-1 # here too\n');
    program('terraform', `case "$*" in *"${failing || 'nothing'}"*) exit 1 ;; 'workspace list') printf '%s\\n' ${workspaces} ;; esac`);
    return new Promise((resolve) => {
      const child = spawn('sh', [join(root, 'opt/regions.sh'), ...args], {
        env: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
      child.on('close', (status) => resolve({ status, said }));
    });
  };

  it('runs terraform for each region of the list, in a state of its own', async () => {
    mkdirSync(join(root, 'opt/regions'));
    writeFileSync(join(root, 'opt/regions/us-east-1.tfvars'), 'instances = 4\n');
    expect((await list(['apply', '-auto-approve'])).status).toBe(0);
    expect(calls()).toEqual([
      'terraform init -input=false',
      'terraform workspace select -or-create=true eu-central-1',
      'terraform apply -var=region=eu-central-1 -auto-approve',
      'terraform workspace select -or-create=true us-east-1',
      'terraform apply -var-file=regions/us-east-1.tfvars -var=region=us-east-1 -auto-approve',
      'terraform workspace list',
    ]);
  });

  it('goes on where a region fails, and says which did', async () => {
    const { status, said } = await list(['plan'], 'default', 'region=eu-central-1');
    expect({ status, last: said.trim().split('\n').at(-1) }).toEqual({ status: 1, last: 'failed: eu-central-1' });
    expect(calls()).toContain('terraform plan -var=region=us-east-1');
  });

  it('names regions that are off the list and still there, and destroys what is named alone', async () => {
    expect((await list(['plan'], 'default eu-central-1 us-west-1')).said).toContain('not listed, but there is a state: us-west-1 ');
    rmSync(told);
    expect(await list(['destroy'])).toEqual({ status: 2, said: expect.stringContaining('destroy wants --only') });
    expect(calls()).toEqual([]);
    expect((await list(['--only', 'us-west-1', 'destroy'])).status).toBe(0);
    expect(calls().filter((call) => /destroy|apply|plan/.test(call))).toEqual(['terraform destroy -var=region=us-west-1']);
  });
});
