import { failure, type RenderOutput } from '@vedette/contract';
import { expect, it } from 'vitest';
import { fakeHealth } from '../probes/health/fake-health.ts';
import { blamingNobody } from '../../packages/renderer/src/pool/own-network.ts';

/** A render that takes 30 s and hears nothing, beside witnesses that answered up to a time. */
async function rendered(witnessedUntil: number) {
  let now = 0;
  const page = { final_url: '', content_type: '', ip: '', status_code: 0, page_content_empty: true, failure: failure('connect_timeout') };
  const render = async (): Promise<RenderOutput<'pdf'>> => {
    now = 30_000;
    return { result: { page, pages: 0 } };
  };
  const health = { ...fakeHealth(), networkSince: (since: number) => Promise.resolve(witnessedUntil >= since) };
  return await blamingNobody(render, health, { now: () => now });
}

it('a page is not blamed for a network that failed while it was rendered', async () => {
  await expect(rendered(5_000)).rejects.toMatchObject({ code: 'no_network' });
  expect((await rendered(30_000)).result.page.failure?.reason).toBe('connect_timeout');
});
