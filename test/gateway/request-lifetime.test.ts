import { describe, expect, it } from 'vitest';
import { RequestLifetime } from '../../packages/gateway/src/request/request-lifetime.ts';

const never = new Promise<never>(() => {});

describe("a request's lifetime", () => {
  it('ends with its client: work that does not listen is not waited for', async () => {
    const lifetime = new RequestLifetime(60_000);
    const { signal } = lifetime;
    const work = lifetime.bound(never);
    lifetime.end('client_gone');
    await expect(work).rejects.toMatchObject({ code: 'client_gone', status: 499 });
    expect(signal.reason).toMatchObject({ code: 'client_gone' });
    expect(() => lifetime.throwIfEnded()).toThrow(expect.objectContaining({ code: 'client_gone' }));
  });

  it('ends with its deadline, and the first end counts', async () => {
    const lifetime = new RequestLifetime(1);
    await expect(lifetime.bound(never)).rejects.toMatchObject({ code: 'deadline' });
    lifetime.end('client_gone');
    expect(lifetime.signal.reason).toMatchObject({ code: 'deadline' });
    await expect(lifetime.bound(never)).rejects.toMatchObject({ code: 'deadline' });
  });

  it('ends with its work: what still runs for it stops, and nothing failed', async () => {
    const lifetime = new RequestLifetime(60_000);
    const { signal } = lifetime;
    expect(await lifetime.bound(Promise.resolve('done'))).toBe('done');
    lifetime.close();
    expect(signal.aborted).toBe(true);
    expect(() => lifetime.throwIfEnded()).not.toThrow();
  });
});
