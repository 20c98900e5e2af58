import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { decodeJoinToken, type FleetPlan, fleetToken, NEW_FLEET, readFleet, writeFleet } from '@vedette/bus';
import { holdingDirectory } from '@vedette/ledger';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../free-ports.ts';
import { OWN_ENV } from '../own-env.ts';

const MAIN = join(import.meta.dirname, '../../packages/cli/src/main.ts');
let dataDir: string;
let folder: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fleet-'));
  folder = join(dataDir, 'fleet');
});
afterEach(() => rm(dataDir, { recursive: true }));

const vedette = (...words: string[]) =>
  promisify(execFile)(process.execPath, [MAIN, ...words], { env: { ...OWN_ENV, VEDETTE_DATA_DIR: dataDir } });
/** What a command that fails says: one sentence, and nothing on stdout that a script could take for a token. */
const refusal = (...words: string[]) =>
  vedette('fleet', ...words).then(
    ({ stdout }) => `worked: ${stdout}`,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );

it('fleet add-location leaves a location that is there in its region', async () => {
  await vedette('fleet', 'init', folder, '--hub', 'hub.test');
  await vedette('fleet', 'add-location', 'eu-fra', '--dir', folder, '--region', 'eu', '--leaf', 'leaf.test');
  const { token } = JSON.parse((await vedette('--json', 'fleet', 'add-location', 'eu-fra', '--dir', folder)).stdout) as { token: string };
  expect(decodeJoinToken(token).urls).toEqual(['tls://leaf.test:4222']);
  // A script takes what is on stdout, and what the operator reads names no secret for a command line.
  const { stdout, stderr } = await vedette('fleet', 'add-location', 'eu-fra', '--dir', folder);
  expect(stdout).toBe(`${token}\n`);
  expect(stderr).toContain('eu-fra was a location already, with this token.');
  expect(stderr).toContain(`/opt/vedette-agent/vedette agent join -  # root's agent of a release
./vedette agent join -                   # in a checkout
`);
  expect(stderr).not.toContain('vdtj_');
  expect((await vedette('fleet', 'token', 'eu-fra', '--dir', folder)).stdout).toBe(`${token}\n`);
  expect((await vedette('fleet', 'tokens', '--dir', folder)).stdout).toMatch(/^eu-fra {4}eu {6}leaf\.test {2}U[A-Z2-7]{55}$/m);
  expect(JSON.parse(await readFile(join(folder, 'fleet.json'), 'utf8'))).toMatchObject({ locations: { 'eu-fra': { region: 'eu' } } });
  // No gateway is known that could forget it.
  expect((await vedette('fleet', 'remove', 'eu-fra', '--dir', folder)).stdout).toMatch(
    /\n\neu-fra has .*: vedette locations remove eu-fra\n$/,
  );
  expect((await vedette('fleet', 'tokens', '--dir', folder)).stdout).toBe('No location has a token: vedette fleet add-location <id>\n');
});

it('commands that run at once leave each other what they add', async () => {
  await vedette('fleet', 'init', folder, '--hub', 'hub.test');
  const ids = ['eu-fra', 'us-ash', 'sg-sin', 'br-sao'];
  const printed = await Promise.all(ids.map(async (id) => (await vedette('fleet', 'add-location', id, '--dir', folder)).stdout));
  expect(printed).toEqual(ids.map((id) => `${fleetToken(folder, id)}\n`));
});

it('no other process changes a plan while one does, nor what it has not read', async () => {
  await vedette('fleet', 'init', folder, '--hub', 'hub.test');
  let adding: ReturnType<typeof vedette>;
  await holdingDirectory(folder, async () => {
    adding = vedette('fleet', 'add-location', 'us-ash', '--dir', folder);
    // It has read the plan and waits, or is not that far yet: either way it has to read what is written here.
    await Promise.race([adding.catch(() => {}), sleep(1_500)]);
    writeFleet(folder, { ...readFleet(folder)!, locations: { 'eu-fra': {} } }, { now: new Date() });
  });
  await adding!;
  expect(Object.keys(readFleet(folder)!.locations)).toEqual(['eu-fra', 'us-ash']);
});

/** What `npm start` has in its data directory. */
const first = async (change: Partial<FleetPlan> = {}): Promise<void> => {
  const ports = { ...NEW_FLEET.ports, client: await freePort() };
  writeFleet(
    folder,
    { ...NEW_FLEET, hubs: ['192.0.2.10'], ports, listen: '0.0.0.0', locations: { 'us-ash': {} }, ...change },
    { now: new Date() },
  );
};

it('without a folder means that of npm start, and says in a sentence what is in the way', async () => {
  expect(await refusal('add-location', 'us-ash')).toBe(
    `vedette: there is no fleet in ${folder}: VEDETTE_DATA_DIR names the data directory of npm start, --dir a folder of fleet init\n`,
  );
  await first();
  const silent = new RegExp(`^vedette: the bus of ${folder} does not answer at tls://127\\.0\\.0\\.1:\\d+: does npm start run\\?\n$`);
  expect(await refusal('add-location', 'eu-fra')).toMatch(silent);
  expect(await refusal('remove', 'us-ash')).toMatch(silent);
  expect((await vedette('fleet', 'tokens')).stdout).toMatch(/^us-ash {4}- {7}192\.0\.2\.10 {2}U/m); // nothing was changed
  expect(await refusal('add-location', 'us.ash')).toBe(
    'vedette: "us.ash" is not an id of a location: it has at most 64 letters, digits, - and _\n',
  );
  await first({ here: 'us-ash' });
  expect(await refusal('remove', 'us-ash')).toBe(
    'vedette: us-ash is the location of this machine: start npm start again without VEDETTE_LOCATION=us-ash, then remove it\n',
  );
  expect(await refusal('remove', 'mars')).toBe(`vedette: there is no location mars in ${folder}\n`);
  expect(await refusal('add-location', 'eu-fra', '--region', 'eu')).toBe(
    `vedette: this fleet has one server and no regions: add hubs first, vedette fleet init ${folder} --hub <host>\n`,
  );
});

it('a bus on the loopback takes no locations, and a first hub that others cannot reach no further ones', async () => {
  await first({ hubs: ['localhost'], listen: '127.0.0.1' });
  expect(await refusal('add-location', 'eu-fra')).toBe(
    'vedette: no other machine reaches the bus of npm start: start it again with VEDETTE_BUS_HOST=<name or address of this machine>\n',
  );
  expect(await refusal('init', folder, '--hub', 'hub-2.test')).toBe(
    'vedette: other machines cannot reach the first hub, localhost: start npm start with VEDETTE_BUS_HOST, then add hubs\n',
  );
});

it('fleet init makes the folder of npm start grow, and renews it as it is', async () => {
  await first();
  await vedette('fleet', 'init', folder);
  expect(JSON.parse(await readFile(join(folder, 'fleet.json'), 'utf8'))).toMatchObject({ hubs: ['192.0.2.10'], listen: '0.0.0.0' });
  const { stdout } = await vedette('fleet', 'init', folder, '--hub', '192.0.2.11', '--hub', '192.0.2.12');
  expect(stdout).toContain(`${folder}/hub-3  192.0.2.12  new: copy and start\n`);
  expect(JSON.parse(await readFile(join(folder, 'fleet.json'), 'utf8'))).not.toHaveProperty('listen');
});
