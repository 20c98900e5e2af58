import { serve } from './serve.ts';

await serve(async () => (await import('@vedette/intel/message')).readMessage);
