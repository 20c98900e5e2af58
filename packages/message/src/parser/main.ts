import { JOBS } from './jobs.ts';
import { serve } from './serve.ts';

await serve(async () => {
  const { readMessage } = await import('../message/index.ts');
  const { isSpoilt } = await import('../pictures/index.ts');
  const { readPicture } = await import('../qr/index.ts');
  return {
    isSpoilt,
    read: (frame) => (frame[0] === JOBS.picture.tag ? readPicture(frame.subarray(1)) : readMessage(frame.subarray(1))),
  };
});
