import { describe, expect, it } from 'vitest';
import { type Agent, agentOf } from '../../../packages/renderer/src/page/agents.ts';
import type { DeviceAgent } from '../../../packages/renderer/src/page/devices.ts';

const agent = (kind: DeviceAgent, draw = ''): Agent =>
  agentOf(kind, { browserVersion: 'HeadlessChrome/153.0.8034.21', identity: 'Vedette/0.1 (+me)', draw });

describe('who a browser says it is', () => {
  it('is one of a pool of desktops, whose client hints say the same', () => {
    const drawn = Array.from({ length: 40 }, (_, n) => agent('desktop', String(n)));
    const systems = { Windows: /Windows NT 10\.0; Win64; x64/, macOS: /Macintosh; Intel Mac OS X 10_15_7/, Linux: /X11; Linux x86_64/ };
    expect(new Set(drawn.map(({ metadata }) => metadata?.platform))).toEqual(new Set(Object.keys(systems)));
    for (const { userAgent, metadata } of drawn) {
      expect(userAgent).toMatch(systems[metadata!.platform as keyof typeof systems]);
      expect(userAgent).toMatch(/ Chrome\/153\.0\.0\.0 Safari\/537\.36 Vedette\/0\.1 \(\+me\)$/);
      expect(metadata).toMatchObject({ mobile: false, brands: expect.arrayContaining([{ brand: 'Chromium', version: '153' }]) as unknown });
      expect(metadata!.fullVersionList).toContainEqual({ brand: 'Chromium', version: '153.0.8034.21' });
    }
  });

  it('is the same for the same draw', () => expect(agent('desktop', 'a')).toEqual(agent('desktop', 'a')));

  it('is a telephone in every way', () => {
    expect(agent('android')).toMatchObject({
      userAgent: expect.stringMatching(/Android 10; K\).* Mobile Safari\/537\.36 Vedette/) as unknown,
      platform: 'Linux armv81',
      metadata: { platform: 'Android', mobile: true },
    });
  });

  it.each(['ipad', 'iphone_10', 'iphone_16', 'iphone_18'] as const)('has no client hints where it is Safari: %s', (kind) => {
    const { userAgent, platform, metadata } = agent(kind);
    expect([metadata, userAgent.includes(platform), userAgent.endsWith(' Vedette/0.1 (+me)')]).toEqual([undefined, true, true]);
  });
});
