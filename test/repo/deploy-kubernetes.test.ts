import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { Settings as agentSettings } from '../../packages/agent/src/config.ts';
import { Settings as gatewaySettings } from '../../packages/gateway/src/config/config.ts';
import { Settings as rendererSettings } from '../../packages/renderer/src/ops/config.ts';
import { pairsOf, readDockerfile } from '../../scripts/release/dockerfile.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const ROLES: Record<string, { properties: object }> = { gateway: gatewaySettings, renderer: rendererSettings, agent: agentSettings };
const FOLDERS = {
  base: 'deploy/kubernetes/base',
  'single-node': 'deploy/kubernetes/overlays/single-node',
  cloud: 'deploy/kubernetes/overlays/cloud',
};

/** As far as it is looked at here. */
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  spec: any;
}
interface Source {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}
interface Container {
  name: string;
  image: string;
  env?: Source[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string; subPath?: string }[];
  securityContext: object;
  resources: { requests: { cpu: string; memory: string }; limits: { memory: string } };
  [probe: `${string}Probe`]: { httpGet?: { path: string; port: string }; exec?: object };
}

const build = (folder: string): Manifest[] =>
  parseAllDocuments(execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', maxBuffer: 1 << 24 })).map(
    (document) => document.toJS() as Manifest,
  );
const dockerfile = readDockerfile(readFileSync('deploy/Dockerfile', 'utf8'));
const userOf = (role: string): number =>
  Number(
    dockerfile
      .find(({ name }) => name === role)!
      .instructions.find(({ name }) => name === 'USER')!
      .text.split(':')[0],
  );

describe.skipIf(!hasKubectl).each(Object.entries(FOLDERS))('deploy/kubernetes: %s', (_, folder) => {
  const manifests = hasKubectl ? build(folder) : [];
  const ofKind = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
  const workloads = [...ofKind('StatefulSet'), ...ofKind('DaemonSet')];
  const containersOf = ({ spec }: Manifest): Container[] => spec.template.spec.containers;
  const inside = workloads.filter(({ metadata }) => metadata.namespace === 'vedette');
  const labelsOf = ({ spec }: Manifest): Record<string, string> => spec.template.metadata.labels;
  const matches = (selector: any, labels: Record<string, string>): boolean =>
    Object.entries<string>(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    (selector.matchExpressions ?? []).every(({ key, values }: { key: string; values: string[] }) => values.includes(labels[key] ?? ''));

  it('is what the API knows, field by field (kubernetes-models)', async () => {
    for (const manifest of manifests) {
      const { [manifest.kind]: Model } = (await import(`kubernetes-models/${manifest.apiVersion}/${manifest.kind}`)) as Record<
        string,
        new (data: object) => { validate(): void }
      >;
      expect(() => new Model!(manifest).validate()).not.toThrow();
    }
    // Those schemas let unknown fields through; the types of the same package do not.
    const at = mkdtempSync('node_modules/.vedette-kubernetes-');
    onTestFinished(() => rmSync(at, { recursive: true }));
    const lines = manifests.map(
      (manifest, i) =>
        `import type { I${manifest.kind} as T${i} } from 'kubernetes-models/${manifest.apiVersion}/${manifest.kind}';\nexport const m${i}: T${i} = ${JSON.stringify(manifest)};`,
    );
    const check = (text: string) => {
      writeFileSync(join(at, 'manifests.ts'), text);
      const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--moduleResolution', 'nodenext'];
      return spawnSync('node_modules/.bin/tsc', [...flags, join(at, 'manifests.ts')], { encoding: 'utf8' });
    };
    expect(check(lines.join('\n'))).toMatchObject({ status: 0, stdout: '' });
    // They do: one word spelt otherwise, and the type check says which.
    if (folder !== FOLDERS.base) return;
    const misspelt = lines.join('\n').replace('"readOnlyRootFilesystem"', '"readonlyRootFilesystem"');
    expect(check(misspelt).stdout).toContain(`'"readonlyRootFilesystem"' does not exist`);
  });

  it('keeps to the restricted profile of pod security', () => {
    const namespace = ofKind('Namespace').find(({ metadata }) => metadata.name === 'vedette');
    expect(namespace).toMatchObject({ metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } });
    for (const workload of inside) {
      const { securityContext, volumes, hostNetwork, hostPID, automountServiceAccountToken } = workload.spec.template.spec;
      expect({ hostNetwork, hostPID, automountServiceAccountToken }).toEqual({ automountServiceAccountToken: false });
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: expect.any(Number), runAsGroup: expect.any(Number) });
      const { type, localhostProfile } = securityContext.seccompProfile;
      expect([type, localhostProfile]).toEqual(
        /gateway|renderer/.test(workload.metadata.name) ? ['Localhost', 'vedette/vedette.json'] : ['RuntimeDefault', undefined],
      );
      const sysctls = (securityContext.sysctls ?? []).map(({ name }: { name: string }) => name);
      expect(sysctls).toEqual(workload.metadata.name === 'agent' ? ['net.ipv4.ping_group_range'] : []);
      expect(
        volumes
          .flatMap((volume: object) => Object.keys(volume))
          .filter((key: string) => !['name', 'secret', 'configMap', 'emptyDir'].includes(key)),
      ).toEqual([]);
      for (const container of containersOf(workload))
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('runs our images as their own users, each of a version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const workload of workloads)
      for (const { image } of containersOf(workload)) {
        const [, role] = /(?:^|\/)vedette\/(\w+):/.exec(image) ?? [];
        expect(image).toMatch(role === undefined ? /:\d+\.\d+\.?\d*-\w+$/ : new RegExp(`vedette/${role}:${RegExp.escape(version)}$`));
        if (role === undefined || workload.metadata.namespace !== 'vedette') continue;
        const { runAsUser, runAsGroup, fsGroup } = workload.spec.template.spec.securityContext;
        expect([runAsUser, runAsGroup, fsGroup]).toEqual([userOf(role), userOf(role), userOf(role)]);
      }
  });

  it('has settings that exist, and what the image sets once', () => {
    const [common] = ofKind('ConfigMap').filter(({ metadata }) => metadata.name.startsWith('vedette-'));
    for (const [role, { properties }] of Object.entries(ROLES)) {
      const [container] = containersOf(inside.find(({ metadata }) => metadata.name === role)!);
      expect(container!.envFrom).toEqual([{ configMapRef: { name: common!.metadata.name } }]);
      const names = (container!.env ?? []).map(({ name }) => name);
      expect(names.filter((name) => name !== 'POD_NAME' && !(name in properties))).toEqual([]);
      const stage = dockerfile.find(({ name }) => name === role)!;
      const image = pairsOf(
        stage.instructions
          .filter(({ name }) => name === 'ENV')
          .map(({ text }) => text)
          .join(' '),
      );
      const here = Object.fromEntries((container!.env ?? []).map(({ name, value }) => [name, value]));
      expect(Object.keys(image).filter((name) => image[name] === here[name])).toEqual([]);
    }
    const known = Object.values(ROLES).flatMap(({ properties }) => Object.keys(properties));
    expect(Object.keys(common!.data!).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('asks for what there is: ports, keys of secrets, volumes', () => {
    const readme = readFileSync('deploy/kubernetes/README.md', 'utf8');
    const secrets = new Map(
      [...readme.matchAll(/create secret generic (\S+) (.*)/g)].map(([, name, rest]) => [
        name!,
        [...rest!.matchAll(/--from-(?:file|literal)=(?:([\w.-]+)=|\S*?([\w.-]+)(?= |$))/g)].map(([, key, file]) => key ?? file!),
      ]),
    );
    for (const workload of inside) {
      const { volumes = [] } = workload.spec.template.spec;
      const claims = (workload.spec.volumeClaimTemplates ?? []).map(({ metadata }: Manifest) => metadata.name);
      for (const container of containersOf(workload)) {
        const ports = (container.ports ?? []).map(({ name }) => name);
        const probes = Object.entries(container).filter(([key]) => key.endsWith('Probe')) as [string, Container['xProbe']][];
        expect(probes.map(([key]) => key)).toEqual(expect.arrayContaining(['livenessProbe', 'readinessProbe']));
        expect(probes.filter(([, { httpGet }]) => httpGet && !ports.includes(httpGet.port))).toEqual([]);
        const mounts = container.volumeMounts ?? [];
        const there = [...volumes.map(({ name }: { name: string }) => name), ...claims];
        expect(mounts.map(({ name }) => name).filter((name) => !there.includes(name))).toEqual([]);
        const ofFiles = (mounted: string) => volumes.find(({ name }: { name: string }) => name === mounted).secret.secretName as string;
        const wanted = [
          ...(container.env ?? []).flatMap(({ valueFrom }) => (valueFrom?.secretKeyRef ? [valueFrom.secretKeyRef] : [])),
          ...mounts.flatMap(({ name, subPath }) => (subPath === undefined ? [] : [{ name: ofFiles(name), key: subPath }])),
        ];
        expect(wanted.filter(({ name, key }) => !secrets.get(name)?.includes(key))).toEqual([]);
      }
      const mounted = volumes.flatMap(({ secret }: { secret?: { secretName: string } }) => (secret ? [secret.secretName] : []));
      expect(mounted.filter((name: string) => !secrets.has(name))).toEqual([]);
    }
  });

  it('services, budgets, policies and autoscalers are about pods that there are', () => {
    for (const { spec, metadata } of ofKind('Service')) {
      const [pods] = inside.filter((workload) => matches({ matchLabels: spec.selector }, labelsOf(workload)));
      const names = containersOf(pods!).flatMap(({ ports = [] }) => ports.map(({ name }) => name));
      expect({
        metadata,
        missing: (spec.ports ?? []).filter(({ targetPort }: { targetPort: string }) => !names.includes(targetPort)),
      }).toEqual({ metadata, missing: [] });
    }
    for (const workload of inside) expect(ofKind('Service').map(({ metadata }) => metadata.name)).toContain(workload.spec.serviceName);
    for (const { spec } of ofKind('PodDisruptionBudget'))
      expect(inside.filter((workload) => matches(spec.selector, labelsOf(workload)))).toHaveLength(1);
    for (const { spec } of ofKind('NetworkPolicy')) {
      const chosen = inside.filter((workload) => matches(spec.podSelector, labelsOf(workload)));
      expect(chosen.length).toBeGreaterThan(0);
      const ports = chosen.flatMap(containersOf).flatMap(({ ports: of = [] }) => of.map(({ containerPort }) => containerPort));
      const allowed = (spec.ingress ?? []).flatMap((rule: { ports: { port: number }[] }) => rule.ports.map(({ port }) => port));
      expect(allowed.filter((port: number) => !ports.includes(port))).toEqual([]);
    }
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      const target = inside.find(({ kind, metadata }) => kind === spec.scaleTargetRef.kind && metadata.name === spec.scaleTargetRef.name)!;
      expect(target.spec.replicas).toBeUndefined();
      expect(containersOf(target).map(({ resources }) => resources.requests.cpu)).toEqual([expect.any(String)]);
    }
  });

  it('lets nothing out to addresses inside but to what it names', () => {
    const internet = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === 'public-internet')!;
    const [v4] = internet.spec.egress[0].to;
    expect(v4.ipBlock.except).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']),
    );
    const nothing = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === 'nothing-else')!;
    expect(nothing.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });
});
