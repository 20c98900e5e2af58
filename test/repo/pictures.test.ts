import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { PAGES, read } from './pages.ts';

const picture = (page: string): string => /^```mermaid\n(.*?)^```/ms.exec(read(page))![1]!;
const SETTINGS = read('docs/settings.md');
const defaultOf = (setting: string): string => new RegExp(`^\\| \`${setting}\` \\|.*\\| \`([^|]*)\` \\|[^|]*\\|$`, 'm').exec(SETTINGS)![1]!;

it('the picture of npm start has each process that it starts, and its port', () => {
  const shown = picture('README.md');
  const roles = [...read('packages/all/src/roles.ts').matchAll(/\bname: '(\w+)'|BUS = '([\w-]+)'/g)].map(([, role, bus]) => (role ?? bus)!);
  const [, ids = ''] = /SIMULATED_LOCATIONS = \[(.*?)\]/.exec(read('packages/all/src/config.ts'))!;
  const locations = ids.replaceAll(/['\s]/g, '').split(',');
  expect(roles.toSorted()).toEqual(['browsers', 'gateway', 'nats-server', 'parsers', 'renderer']);
  // `browsers` starts the browser for a renderer that has a user of its own.
  for (const name of [...roles.filter((role) => role !== 'browsers'), ...locations.map((id) => `agent ${id}`)])
    expect(shown).toContain(name);
  expect(shown.match(/"agent [\w-]+"/g)).toHaveLength(locations.length);
  expect(shown).toContain(`port ${defaultOf('VEDETTE_PORT')}`);
});

it('the picture of a fleet has the ports that are open', () => {
  const [, bus] = /unset = (\d+) with VEDETTE_BUS_HOST/.exec(SETTINGS)!;
  expect(new Set(picture('docs/second-location.md').match(/port \d+/g))).toEqual(
    new Set([`port ${bus}`, `port ${defaultOf('VEDETTE_PORT')}`]),
  );
});

it('the picture of a ping has its price', () => {
  const { cost } = operations.find(({ name }) => name === 'ping-test')!;
  expect(picture('docs/architecture.md')).toContain(`reserve ${typeof cost === 'number' ? cost : cost.base} credits`);
});

it('no other page has pictures that nothing holds true', () => {
  expect(PAGES.filter((page) => read(page).includes('```mermaid'))).toEqual([
    'README.md',
    'docs/architecture.md',
    'docs/second-location.md',
  ]);
});
