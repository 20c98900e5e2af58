import { asProcess } from '@vedette/process/run';

await asProcess({ name: 'vedette agent', command: 'npm run agent', load: async () => (await import('./agent.ts')).runAgent });
