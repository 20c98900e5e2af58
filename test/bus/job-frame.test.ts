import { MAX_FRAME_BYTES } from '@vedette/bus/frames';
import { expect, it } from 'vitest';
import { FrameError, readJob } from '../../packages/bus/src/wire/frames.ts';
import { jobFrames } from '../../packages/bus/src/wire/job-frame.ts';

const spec = { host: 'ex"ample.test', path: '/,"attempt":9', count: 4 };

it('writes frames that read as they were meant, with a nonce for each attempt, foreseen or not', () => {
  const { job, createNonce, text } = jobFrames('ping', spec, 5_000, 2);
  const nonces = [createNonce(), createNonce(), createNonce()];
  expect(new Set(nonces).size).toBe(3);
  for (const [index, nonce] of nonces.entries()) {
    const attempt = index === 0 ? 1 : 2;
    const frame = readJob(new TextEncoder().encode(text(attempt, nonce, 4_000 + index)));
    expect(frame).toEqual({ v: '1.5', job, kind: 'ping', spec, attempt, nonce, budget_ms: 4_000 + index });
  }
});

it('refuses what is no job, or larger than a frame', () => {
  expect(() => jobFrames('', spec, 5_000, 1)).toThrow(FrameError);
  expect(() => jobFrames('ping', spec, 500_000, 1)).toThrow(FrameError);
  expect(() => jobFrames('ping', { host: 'x'.repeat(MAX_FRAME_BYTES) }, 5_000, 1)).toThrow('larger than a frame may be');
});
