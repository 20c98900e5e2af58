import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { renderTemplate } from './helm.ts';

const FOLDER = 'deploy/helm';
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const chart = parse(readFileSync(`${FOLDER}/Chart.yaml`, 'utf8')) as Record<string, string>;
const defaults = parse(readFileSync(`${FOLDER}/values.yaml`, 'utf8')) as Values;

interface Values {
  [name: string]: any;
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  spec?: any;
  data?: object;
}

const documents = (text: string): Manifest[] =>
  parseAllDocuments(text, { version: '1.1' }) // as Helm and kustomize read it: 0440 is octal
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);

/** `helm template`, as far as the chart needs it; values are merged as Helm does. */
function render(values: Values = {}): Manifest[] {
  const merged = merge(defaults, values);
  const data = { Values: merged, Chart: { AppVersion: chart['appVersion'] } };
  return globSync(`${FOLDER}/templates/*.yaml`)
    .toSorted()
    .flatMap((path) => documents(renderTemplate(readFileSync(path, 'utf8'), data)));
}
const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);
const merge = (base: Values, over: Values): Values => ({
  ...base,
  ...Object.fromEntries(
    Object.entries(over).map(([key, value]) => [key, isMap(value) && isMap(base[key]) ? merge(base[key], value) : value]),
  ),
});

const named = (manifests: readonly Manifest[]): Record<string, Manifest> =>
  Object.fromEntries(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest]));

const EVERYTHING: Values = {
  image: { repository: 'registry.example.org/vedette', tag: '1.2.3' },
  gateway: { replicas: 3, secret: 'mine', busSecret: 'my-bus', storage: '10Gi' },
  renderer: { enabled: false },
  egress: [{ to: [{ ipBlock: { cidr: '10.0.32.0/24' } }], ports: [{ protocol: 'TCP', port: 4222 }] }],
  monitoring: { namespace: 'prometheus' },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls', annotations: { 'example.org/a': 'b' } },
};

// Namespaces are Helm's; kustomize puts a hash into the name of the ConfigMap, where the chart has a checksum in the pods.
it.skipIf(!hasKubectl)('makes by its default values what kustomize makes of the base', () => {
  const base = documents(
    execFileSync('kubectl', ['kustomize', 'deploy/kubernetes/base'], { encoding: 'utf8' }).replaceAll(
      /\bvedette-[0-9a-z]{10}\b/g,
      'vedette',
    ),
  );
  for (const { metadata } of base) delete metadata.namespace;
  const rendered = render();
  for (const { kind, spec } of rendered) {
    if (kind !== 'StatefulSet') continue;
    expect(spec.template.metadata.annotations).toEqual({ 'checksum/settings': expect.stringMatching(/^[0-9a-f]{64}$/) });
    delete spec.template.metadata.annotations;
  }
  expect(named(rendered)).toEqual(named(base.filter(({ kind }) => kind !== 'Namespace')));
});

it('makes objects that the API knows (kubernetes-models), with every value changed too', async () => {
  for (const manifest of [...render(), ...render(EVERYTHING)]) {
    const { [manifest.kind]: Model } = (await import(`kubernetes-models/${manifest.apiVersion}/${manifest.kind}`)) as Record<
      string,
      new (data: object) => { validate(): void }
    >;
    expect(() => new Model!(manifest).validate()).not.toThrow();
  }
});

it('heeds its values', () => {
  const made = named(render(EVERYTHING));
  const { spec } = made['StatefulSet gateway']!;
  const [container] = spec.template.spec.containers;
  expect(spec.replicas).toBe(3);
  expect(container.image).toBe('registry.example.org/vedette/gateway:1.2.3');
  expect(container.env.find(({ name }: { name: string }) => name === 'VEDETTE_DATABASE_URL').valueFrom.secretKeyRef.name).toBe('mine');
  expect(spec.template.spec.volumes.flatMap(({ secret }: { secret?: { secretName: string } }) => secret?.secretName ?? [])).toEqual([
    'my-bus',
    'mine',
  ]);
  expect(spec.volumeClaimTemplates[0].spec.resources.requests.storage).toBe('10Gi');
  expect(Object.keys(made).filter((name) => /renderer/.test(name))).toEqual([]);
  expect(made['NetworkPolicy to-bus-and-database']!.spec.egress).toEqual(EVERYTHING['egress']);
  expect(made['NetworkPolicy metrics']!.spec.ingress[0].from[0].namespaceSelector.matchLabels).toEqual({
    'kubernetes.io/metadata.name': 'prometheus',
  });
  expect(made['Ingress gateway']!.spec).toMatchObject({
    ingressClassName: 'nginx',
    tls: [{ hosts: ['vedette.example.org'], secretName: 'tls' }],
  });
  // A change of settings replaces the pods.
  const checksum = (values: Values): string =>
    named(render(values))['StatefulSet agent']!.spec.template.metadata.annotations['checksum/settings'];
  expect(checksum({ settings: { VEDETTE_CONTACT: 'https://example.org' } })).not.toBe(checksum({}));
});

it('its schema lets its values through, and no others', () => {
  const valid = new Ajv({ allErrors: true }).compile(JSON.parse(readFileSync(`${FOLDER}/values.schema.json`, 'utf8')) as object);
  expect([valid(defaults), valid(merge(defaults, EVERYTHING))]).toEqual([true, true]);
  expect(valid(merge(defaults, { gateway: { replica: 2 } }))).toBe(false);
  expect(valid(merge(defaults, { settings: { VEDETTE_LIMITS: false } }))).toBe(false);
  // What the page has.
  const [, example = ''] = /```yaml\n(.*?)```/s.exec(readFileSync(`${FOLDER}/README.md`, 'utf8')) ?? [];
  expect(valid(merge(defaults, parse(example) as Values)), JSON.stringify(valid.errors)).toBe(true);
});

it('is of the version of this release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect([chart['version'], chart['appVersion']]).toEqual([version, version]);
  expect(readFileSync(`${FOLDER}/README.md`, 'utf8')).toContain(`vedette-${version}.tgz`);
});
