import { asProcess } from '@vedette/process/run';

await asProcess({
  name: 'vedette browsers',
  log: { name: 'browsers' },
  command: 'npm start',
  load: async () => (await import('./host.ts')).runHost,
});
