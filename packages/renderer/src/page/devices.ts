import type { PageLoad } from '@vedette/contract';

/** The properties of a device that a page can read. Sizes are CSS pixels of the whole screen. */
export interface Device {
  width: number;
  height: number;
  /** Pixels of the screen to a CSS pixel, on each axis. */
  scale: number;
  touch: boolean;
  /** Lays pages out as telephones do: `<meta name=viewport>` is heeded, text is enlarged, scroll bars take no room. */
  mobile: boolean;
  agent: DeviceAgent;
}

export type DeviceAgent = 'desktop' | 'android' | 'ipad' | 'iphone_10' | 'iphone_16' | 'iphone_18';

const upright = (width: number, height: number, scale: number, agent: DeviceAgent): Device => ({
  width,
  height,
  scale,
  touch: true,
  mobile: true,
  agent,
});
const landscape = (device: Device): Device => ({ ...device, width: device.height, height: device.width });

const IPAD = upright(768, 1024, 2, 'ipad');
const IPHONE_5 = upright(320, 568, 2, 'iphone_10');
const IPHONE_8 = upright(375, 667, 2, 'iphone_16');
const IPHONE_13 = upright(390, 844, 3, 'iphone_18');

/** Screens as Apple's specifications have them, in points. */
const DEVICES: Readonly<Record<NonNullable<PageLoad['emulate_device']>, Device>> = {
  ipad: IPAD,
  ipad_landscape: landscape(IPAD),
  iphone5: IPHONE_5,
  iphone5_landscape: landscape(IPHONE_5),
  iphone8: IPHONE_8,
  iphone8_landscape: landscape(IPHONE_8),
  iphone13: IPHONE_13,
  iphone13_landscape: landscape(IPHONE_13),
};

/** Where neither a device nor a size was asked for. */
const DESKTOP_SIZE = { width: 1920, height: 1080 };

/** How many pixels of a screen are drawn at once: a viewport of the largest size without a scale. Above it the scale shrinks. */
const PIXEL_BUDGET = 50_000_000;
/** No side of a picture is longer: WebP and AVIF end a little above. */
const SIDE_MAX_PX = 15_000;

/** The largest scale, at most `scale` and at least 1, at which `width` × `height` CSS pixels stay in the budget. */
const affordableScale = (width: number, height: number, scale: number): number =>
  Math.max(1, Math.min(scale, Math.sqrt(PIXEL_BUDGET / (width * height)), SIDE_MAX_PX / width, SIDE_MAX_PX / height));

/** The device that a job asks for. A size that was asked for beside it is the size of its screen. */
export function deviceOf(load: PageLoad): Device {
  const device: Device =
    load.emulate_device === undefined
      ? { ...DESKTOP_SIZE, scale: 1, touch: false, mobile: false, agent: 'desktop' }
      : DEVICES[load.emulate_device];
  // Only who the browser says it is: its layout remains that of the size that was asked for.
  const isPhone = load.user_agent === 'mobile' && load.emulate_device === undefined;
  const width = load.viewport_width ?? device.width;
  const height = load.viewport_height ?? device.height;
  return {
    ...device,
    ...(isPhone && { touch: true, agent: 'android' as const }),
    width,
    height,
    scale: affordableScale(width, height, device.scale),
  };
}
