import type { PageLoad } from '@vedette/contract';

/** A page as its author made it: nothing of it is kept out, and nothing is waited for. */
export const PLAIN_PAGE: PageLoad = {
  viewport_width: 800,
  viewport_height: 600,
  user_agent: 'desktop',
  accept_language: 'en',
  disable_js: false,
  disable_popups: false,
  disable_images: false,
  disable_ads: false,
  disable_fonts: false,
  dark_mode: false,
  emulate_media: 'screen',
  delay_ms: 0,
};
/** What a picture of one is beside its page. */
export const PLAIN_PICTURE = {
  image_type: 'png',
  full_page: false,
  auto_height: false,
  add_url_bar: false,
  omit_background: false,
  grayscale: false,
} as const;
