import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { KNOWN_PLACES } from '../../../packages/gateway/src/locations/known-places.ts';
import { checkout, hasProvider, hasTerraform } from './checkout.ts';
import { CLOUD_INIT, cloudInitEnvironment, hasCloudInit, userDataOf } from './user-data.ts';
import { everySecond } from '../../runs.ts';

const { folder, terraform, remove } = checkout();
afterAll(remove);

const hcl = (module: string): string =>
  readdirSync(join('terraform', module))
    .filter((name) => name.endsWith('.tf'))
    .map((name) => readFileSync(join('terraform', module, name), 'utf8'))
    .join('\n');
/** HCL without comments, where words are only words. */
const code = (module: string): string => hcl(module).replaceAll(/^\s*#.*$|\s# .*$/gm, '');
const MODULES = readdirSync('terraform', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'examples')
  .map(({ name }) => name);
const AGENTS = MODULES.filter((name) => name.endsWith('-agent'));
const EXAMPLES = readdirSync('terraform/examples').map((name) => `examples/${name}`);

/** cloud-init's own opinion of user data: nothing where it is valid. */
function cloudInitSays(userData: string): string {
  const file = join(folder, 'user-data.yaml');
  writeFileSync(file, userData);
  const args = [CLOUD_INIT, 'schema', '--config-file', file];
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', args, { encoding: 'utf8', env: cloudInitEnvironment });
  return status === 0 ? '' : stdout + stderr;
}

it.skipIf(!hasTerraform)('everything parses and is formatted (terraform)', async () => {
  expect(await terraform('.', 'fmt', '-check', '-recursive')).toBe('');
});

it.skipIf(!hasTerraform)('the agent module is valid and passes its own tests (terraform)', async () => {
  await terraform('agent', 'init', '-backend=false', '-input=false');
  await terraform('agent', 'validate');
  expect(await terraform('agent', 'test', '-no-color')).toMatch(/^Success! \d+ passed, 0 failed\.$/m);
});

/** Which provider a root wants, and which modules pass tests of their own with it. */
const PROVIDERS: [provider: string, roots: string[], tested: string[]][] = [
  ['hashicorp/aws', ['examples/aws', 'examples/aws-core'], ['aws-agent', 'aws-core']],
  ['hashicorp/google', ['examples/google'], []],
  ['hashicorp/azurerm', ['examples/azure'], []],
  ['hetznercloud/hcloud', ['examples/hetzner'], []],
  ['digitalocean/digitalocean', ['examples/digitalocean'], []],
];
/** The machines of those modules' tests that are told something else each. */
const MACHINES: Record<string, string[]> = {
  'aws-agent': ['aws_instance.agent["n"]'],
  'aws-core': ['aws_instance.machine["gateway-n"]', 'aws_instance.machine["renderer-n"]', 'aws_instance.nats["n"]'],
};
for (const [provider, roots, tested] of PROVIDERS)
  // Providers are not in Debian's archive either: without a copy on the machine this shows up as skipped.
  describe.skipIf(!hasProvider(provider))(`with ${provider}`, { timeout: 180_000 }, () => {
    it.each(everySecond(roots))('%s is valid, and so are the modules that it uses', async (root) => {
      await terraform(root, 'init', '-backend=false', '-input=false');
      expect(await terraform(root, 'validate', '-no-color')).toContain('Success!');
    });
    it.for(everySecond(tested))('%s passes its own tests, and cloud-init takes what its machines are told', async (module, { skip }) => {
      await terraform(module, 'init', '-backend=false', '-input=false');
      const printed = await terraform(module, 'test', '-json', '-verbose');
      expect(printed).toMatch(/"@message":"Success! \d+ passed, 0 failed\."/);
      const userData = userDataOf(printed);
      expect([...userData.keys()]).toEqual(MACHINES[module]);
      if (!hasCloudInit) skip('no cloud-init: scripts/setup.sh test unpacks it where apt-get can fetch it');
      for (const [machine, told] of userData) expect({ machine, says: cloudInitSays(told) }).toEqual({ machine, says: '' });
    });
  });

it.skipIf(!hasCloudInit)('cloud-init would not take something else', () => {
  expect(cloudInitSays('#cloud-config\nruncmd: 5\n')).toContain("5 is not of type 'array'");
  expect(cloudInitSays('#cloud-config\nwrite_files: [{ path: /etc/a, contents: b }]\n')).toContain("'contents' was unexpected");
});

it.each(AGENTS)('%s lets nothing in', (module) => {
  const rules =
    code(module).match(/_ingress_rule"|\bingress\s*[={]|inbound_rule|direction\s*=\s*"(in|Inbound)"|google_compute_firewall/g) ?? [];
  // Azure lets neighbours in unless a rule says otherwise.
  const denied = code(module).match(/direction\s*=\s*"Inbound"\s+access\s*=\s*"Deny"/g) ?? [];
  expect(rules.length - denied.length).toBe(0);
  expect(denied).toHaveLength(module === 'azure-agent' ? 1 : 0);
});

// Terraform says so only of modules whose providers are at hand.
it.each([...MODULES, ...EXAMPLES])('%s declares what it uses, uses what it declares, and says what it is for', (module) => {
  const [all, text] = [hcl(module), code(module)];
  const names = (kind: string): string[] => [...text.matchAll(new RegExp(`^${kind} "([^"]+)"`, 'gm'))].map(([, name]) => name!);
  const [variables, modules] = [names('variable'), names('module')];
  const templates = readdirSync(join('terraform', module), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tftpl'))
    .map((name) => name);
  for (const template of templates) expect(text).toContain(template);
  const used = (kind: string): string[] => [
    ...new Set([...text.matchAll(new RegExp(`\\b${kind}\\.([a-z0-9_]+)`, 'g'))].map(([, name]) => name!)),
  ];
  // A validation mentions its variable; what reads it is elsewhere.
  const read = new Set([...text.replaceAll(/^variable [^]*?^}/gm, '').matchAll(/\bvar\.([a-z0-9_]+)/g)].map(([, name]) => name));
  expect(used('var').filter((name) => !variables.includes(name))).toEqual([]);
  expect(variables.filter((name) => !read.has(name))).toEqual([]);
  expect(used('module').filter((name) => !modules.includes(name))).toEqual([]);
  const locals = [...text.matchAll(/^locals \{\n([^]*?)^\}/gm)].flatMap(([, body]) => [...body!.matchAll(/^ {2}([a-z0-9_]+) += /gm)]);
  expect(used('local').filter((name) => !locals.some(([, local]) => local === name))).toEqual([]);
  const resources = [...text.matchAll(/^(resource|data|ephemeral) "([^"]+)" "([^"]+)"/gm)].map(([, , type, name]) => `${type}.${name}`);
  const references = [
    ...text
      .replaceAll(/"(?:[^"\\$]|\\.|\$(?!\{))*"/g, '""')
      .matchAll(/\b((?:aws|google|azurerm|hcloud|digitalocean)_[a-z0-9_]+\.[a-z0-9_]+)/g),
  ];
  expect([...new Set(references.map(([, reference]) => reference!))].filter((reference) => !resources.includes(reference))).toEqual([]);
  const blocks = [...all.matchAll(/^(?:variable|output) "[^"]+" \{\n([^]*?)^\}/gm)];
  expect(blocks.filter(([, body]) => !/^ {2}description *= *"[A-Z`][^"]{8,}/m.test(body!)).map(([block]) => block)).toEqual([]);
});

it('the list of regions has all of AWS that the gateway knows', () => {
  const known = KNOWN_PLACES.flatMap(([ids]) => ids.split(' ')).filter((id) => /^[a-z]{2}-[a-z]+-\d$/.test(id));
  const listed = readFileSync('terraform/examples/aws/regions.txt', 'utf8').match(/^#?[a-z]{2}-[a-z]+-\d$/gm) ?? [];
  expect(listed.map((line) => line.replace('#', '')).toSorted()).toEqual(known.toSorted());
});
