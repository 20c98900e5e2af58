import { serve } from './serve.ts';

await serve(async () => (await import('../message/index.ts')).readMessage);
