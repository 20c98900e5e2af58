import { asProcess } from '@vedette/process/run';

await asProcess({
  name: 'vedette parsers',
  log: { name: 'parsers' },
  command: 'npm start',
  load: async () => (await import('./host.ts')).runHost,
});
