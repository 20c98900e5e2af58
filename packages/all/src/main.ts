import { asProcess } from '@vedette/process/run';

await asProcess({
  name: 'vedette',
  log: { name: 'all' },
  command: 'npm start',
  load: async () => (await import('./all.ts')).runAll,
  signals: ['SIGINT', 'SIGTERM', 'SIGHUP'],
});
