import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startWorld } from '../system/hostile-world.ts';

const HTML = Buffer.from('<body style="background:#fff"><h1>Hello</h1>').toString('base64');

/** Resident memory of a process, MB. */
const residentMb = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

it('two hundred renders at once are answered or told when to come back, again and again until all are, in bounded memory', async () => {
  const world = await startWorld({ VEDETTE_LIMITS: 'off' });
  try {
    const keys = await world.account('crowd', 1);
    let refused = 0;
    const statuses = new Set<number>();
    const widths: (number | undefined)[] = [];
    let peakMb = 0;
    const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMb(world.gatewayPid()))), 200);
    const render = async (): Promise<void> => {
      for (;;) {
        const response = await world.post('html-to-png', { html_base64: HTML, viewport_width: 800 }, { 'x-api-key': keys[0]! });
        const body = (await response.json()) as { rendered_file?: { image_width: number } };
        statuses.add(response.status);
        if (response.status !== 503) return void widths.push(body.rendered_file?.image_width);
        refused++;
        await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1_000));
      }
    };
    await Promise.all(Array.from({ length: 200 }, render));
    clearInterval(watch);
    expect(statuses).toEqual(new Set([200, 503]));
    expect(widths).toEqual(Array.from({ length: 200 }, () => 800));
    expect(refused).toBeGreaterThan(0);
    expect(peakMb).toBeLessThan(700);
    expect(await world.metric('vedette_gateway_renders_total', 'outcome="ok"')).toBe(200);
  } finally {
    await world.close();
  }
}, 600_000);
