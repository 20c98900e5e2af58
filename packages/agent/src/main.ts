import { asProcess } from '@vedette/process/run';

await asProcess({
  name: 'vedette agent',
  log: { name: 'agent', location: process.env['VEDETTE_LOCATION'] },
  command: 'npm run agent',
  load: async () => (await import('./agent.ts')).runAgent,
});
