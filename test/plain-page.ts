import type { PageLoad } from '@vedette/contract';
import { UNCHANGED_PAGE } from '../packages/renderer/src/jobs/render.ts';

/** A page as its author made it: nothing of it is kept out, and nothing is waited for. */
export const PLAIN_PAGE: PageLoad = {
  viewport_width: 800,
  viewport_height: 600,
  user_agent: 'desktop',
  accept_language: 'en',
  ...UNCHANGED_PAGE,
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
