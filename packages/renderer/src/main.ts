import { asProcess } from '@vedette/process/run';

await asProcess({
  name: 'vedette renderer',
  log: { name: 'renderer' },
  command: 'npm run renderer',
  load: async () => (await import('./renderer.ts')).runRenderer,
});
