import { RELEASE } from '@vedette/process/release';
import { asProcess } from '@vedette/process/run';

await asProcess({
  name: 'vedette agent',
  log: { name: 'agent', location: process.env['VEDETTE_LOCATION'] },
  command: RELEASE.commit === undefined ? 'npm run agent' : 'vedette agent',
  takes: { '--simulated': 'say in every entry that it only pretends to be at its location' },
  load: async () => (await import('./agent.ts')).runAgent,
});
