import { describe, expect, it } from 'vitest';
import { deviceOf } from '../../../packages/renderer/src/page/devices.ts';
import { LOAD } from '../pictures.ts';

const sized = (load: Partial<typeof LOAD>) => {
  const { width, height, scale, touch, mobile, agent } = deviceOf({ ...LOAD, ...load });
  return { width, height, scale: Number(scale.toFixed(3)), touch, mobile, agent };
};
const desktop = { width: 1920, height: 1080, scale: 1, touch: false, mobile: false, agent: 'desktop' };

describe('the screen of a job', () => {
  it.each([
    [{}, desktop],
    [
      { viewport_width: 800, viewport_height: 600 },
      { ...desktop, width: 800, height: 600 },
    ],
    // Who it says it is, in the window that was asked for.
    [{ user_agent: 'mobile' }, { ...desktop, touch: true, agent: 'android' }],
    [{ emulate_device: 'iphone13' }, { width: 390, height: 844, scale: 3, touch: true, mobile: true, agent: 'iphone_18' }],
    [
      { emulate_device: 'iphone13', user_agent: 'mobile' },
      { width: 390, height: 844, scale: 3, touch: true, mobile: true, agent: 'iphone_18' },
    ],
    [
      { emulate_device: 'ipad_landscape', viewport_width: 900 },
      { width: 900, height: 768, scale: 2, touch: true, mobile: true, agent: 'ipad' },
    ],
  ] as const)('%o', (load, expected) => expect(sized(load)).toEqual(expected));

  it.each([
    // 50 million pixels at once, and no side of more than 15,000.
    [{ emulate_device: 'iphone13', viewport_width: 5_000, viewport_height: 10_000 }, 1],
    [{ emulate_device: 'iphone13', viewport_width: 4_000, viewport_height: 4_000 }, 1.768],
    [{ emulate_device: 'iphone13', viewport_width: 100, viewport_height: 10_000 }, 1.5],
  ] as const)('is less fine where %o would be too many pixels', (load, scale) => expect(sized(load).scale).toBe(scale));
});
