import { asProcess } from '@vedette/process/run';

await asProcess({
  name: 'vedette gateway',
  log: { name: 'gateway' },
  command: 'npm run gateway',
  load: async () => (await import('./gateway.ts')).runGateway,
});
