import { BROWSER_AGENTS, Enum, PAGE_MAX, type PageLoad } from '@vedette/contract';
import { Defaulted, type Filled, Flag } from '../../kit/index.ts';
import { type TObject, Type } from 'typebox';
import { AcceptLanguage, readAcceptLanguage, readSecrets, SecretParams } from './request-fields.ts';

/** How an operation that renders a URL is told to open it. */
export const PageParams = {
  viewport_width: Defaulted(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_MAX.width,
      description: 'Width of the browser window in CSS px',
      examples: [1280],
    }),
    1920,
  ),
  viewport_height: Defaulted(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_MAX.height,
      description: 'Height of the browser window in CSS px',
      examples: [720],
    }),
    1080,
  ),
  user_agent: Defaulted(Enum(BROWSER_AGENTS, { description: 'Browser identity, including client hints', examples: ['mobile'] }), 'desktop'),
  accept_language: AcceptLanguage(),
  ...SecretParams,
  disable_js: Flag(false, 'Blocks the scripts of the page'),
  disable_popups: Flag(
    true,
    'Refuses cookie consent as a user would, and removes remaining consent overlays. Browser dialogs and windows are always closed',
  ),
  disable_images: Flag(false, 'Blocks and hides images and videos'),
  disable_ads: Flag(true, 'Blocks requests for ads and trackers, and collapses their places in the page'),
  delay: Defaulted(Type.Integer({ minimum: 0, maximum: 10, description: 'Seconds to wait after the page has loaded', examples: [2] }), 0),
};
type Window = 'viewport_width' | 'viewport_height';
type PageRequest = Filled<TObject<Omit<typeof PageParams, Window>>> & { [F in Window]?: number };

type OperationFields = Pick<PageLoad, 'disable_fonts' | 'dark_mode' | 'emulate_media'> & Pick<Partial<PageLoad>, 'emulate_device'>;

/** The page of a job. Throws `ApiError` invalid_parameter or parameter_conflict for what a schema cannot say. */
export function readPageLoad(url: string, request: PageRequest, rest: OperationFields): PageLoad {
  const { viewport_width, viewport_height } = request;
  return {
    url,
    ...(viewport_width !== undefined && { viewport_width }),
    ...(viewport_height !== undefined && { viewport_height }),
    user_agent: request.user_agent,
    accept_language: readAcceptLanguage(request.accept_language),
    ...readSecrets(request),
    disable_js: request.disable_js,
    disable_popups: request.disable_popups,
    disable_images: request.disable_images,
    disable_ads: request.disable_ads,
    delay_ms: request.delay * 1000,
    ...rest,
  };
}

/** The page of a job that brings its HTML: shown as it is, without an origin. */
export const inputLoad = (rest: Pick<PageLoad, 'emulate_media'> & Pick<Partial<PageLoad>, 'viewport_width'>): PageLoad => ({
  user_agent: 'desktop',
  accept_language: 'en-US',
  disable_js: false,
  disable_popups: false,
  disable_images: false,
  disable_ads: false,
  disable_fonts: false,
  dark_mode: false,
  delay_ms: 0,
  ...rest,
});
