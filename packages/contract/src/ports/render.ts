import { type Static, type TObject, Type } from 'typebox';
import { Enum, URL_MAX_CHARS } from '../words/objects.ts';
import { PAPER_FORMATS } from '../tools/paper.ts';
import { REASONS } from '../words/reasons.ts';

/** Jobs of the browser, and what each gives back. The page to render is `url`, or the job's input where that is absent. */
const RENDER_KINDS = ['screenshot', 'pdf', 'requests'] as const;
export type RenderKind = (typeof RENDER_KINDS)[number];

export const isRenderKind = (text: string): text is RenderKind => (RENDER_KINDS as readonly string[]).includes(text);

export const IMAGE_TYPES = ['png', 'jpeg', 'webp', 'avif'] as const;
export const DEVICES = [
  'ipad',
  'ipad_landscape',
  'iphone5',
  'iphone5_landscape',
  'iphone8',
  'iphone8_landscape',
  'iphone13',
  'iphone13_landscape',
] as const;
export const BROWSER_AGENTS = ['desktop', 'mobile'] as const;

/** Largest page, in CSS pixels. */
export const PAGE_MAX = { width: 5_000, height: 10_000, fullHeight: 15_000 } as const;

/** How a page is opened. */
export const PageLoad = Type.Object({
  /** Absent: the page is the HTML that came as the job's input. */
  url: Type.Optional(Type.String({ maxLength: URL_MAX_CHARS })),
  /** Absent: as the device has it, 1920 × 1080 without one. */
  viewport_width: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX.width })),
  viewport_height: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX.height })),
  user_agent: Enum(BROWSER_AGENTS),
  accept_language: Type.String({ maxLength: 100 }),
  /** The URL's own origin alone is sent these three. */
  basic_auth: Type.Optional(Type.Object({ username: Type.String({ maxLength: 1_000 }), password: Type.String({ maxLength: 1_000 }) })),
  authorization_bearer: Type.Optional(Type.String({ maxLength: 8_192 })),
  custom_header: Type.Optional(Type.Object({ name: Type.String({ maxLength: 200 }), value: Type.String({ maxLength: 8_192 }) })),
  disable_js: Type.Boolean(),
  disable_popups: Type.Boolean(),
  disable_images: Type.Boolean(),
  disable_ads: Type.Boolean(),
  disable_fonts: Type.Boolean(),
  dark_mode: Type.Boolean(),
  emulate_device: Type.Optional(Enum(DEVICES)),
  emulate_media: Enum(['screen', 'print']),
  delay_ms: Type.Integer({ minimum: 0, maximum: 10_000 }),
});
export type PageLoad = Static<typeof PageLoad>;

/** The result of opening the page. */
export const LoadedPage = Type.Object({
  /** The address bar's; empty where no page came. */
  final_url: Type.String({ maxLength: URL_MAX_CHARS }),
  content_type: Type.String({ maxLength: 300 }),
  /** Address of the server that sent the document. */
  ip: Type.String({ maxLength: 45 }),
  /** 0 where no answer came. */
  status_code: Type.Integer({ minimum: 0, maximum: 999 }),
  page_content_empty: Type.Boolean(),
  /** Where the page led to without another page coming: another program's URL, a download, an answer without content. Absent where nowhere. */
  leads_to: Type.Optional(Type.String({ maxLength: URL_MAX_CHARS })),
  /** Requests of the page beyond what one page may send, which were not sent; absent where all were. */
  refused_requests: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Why the page cannot be shown, through a fault of its server. */
  failure: Type.Optional(
    Type.Object({ reason: Enum(Object.keys(REASONS) as (keyof typeof REASONS)[]), error: Type.String({ minLength: 1, maxLength: 400 }) }),
  ),
});
export type LoadedPage = Static<typeof LoadedPage>;

const ScreenshotJob = Type.Object({
  page: PageLoad,
  image_type: Enum(IMAGE_TYPES),
  full_page: Type.Boolean(),
  /** The picture is as high as the content, which may be less than the window. */
  auto_height: Type.Boolean(),
  /** Size of the thumbnail; absent: as captured. One alone keeps the proportions. */
  image_width: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX.width })),
  image_height: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX.height })),
  add_url_bar: Type.Boolean(),
  omit_background: Type.Boolean(),
  grayscale: Type.Boolean(),
});
const Image = Type.Object({ page: LoadedPage, image_width: Type.Integer({ minimum: 0 }), image_height: Type.Integer({ minimum: 0 }) });

const PdfJob = Type.Object({
  page: PageLoad,
  /** CSS pixels; 0: as `format` says. */
  width: Type.Integer({ minimum: 0, maximum: PAGE_MAX.width }),
  height: Type.Integer({ minimum: 0, maximum: PAGE_MAX.height }),
  format: Enum(PAPER_FORMATS),
  /** CSS pixels, on each side. */
  margin: Type.Integer({ minimum: 0, maximum: 1_000 }),
  show_background: Type.Boolean(),
  landscape: Type.Boolean(),
  /** Such as `1-3,5`; empty: all. */
  page_ranges: Type.String({ maxLength: 200 }),
  scale: Type.Number({ minimum: 0.1, maximum: 2 }),
  one_page: Type.Boolean(),
});
const Pdf = Type.Object({ page: LoadedPage, pages: Type.Integer({ minimum: 0 }) });

const RequestsJob = Type.Object({
  url: Type.String({ maxLength: URL_MAX_CHARS }),
  user_agent: Enum(BROWSER_AGENTS),
  accept_language: Type.String({ maxLength: 100 }),
});
/** One request of a page, in the order that they were sent. */
const SentRequest = Type.Object({
  url: Type.String({ maxLength: 2_048 }),
  method: Type.String({ maxLength: 32 }),
  /** Chromium's type of the request: document, script, image, xhr, fetch, ping, preflight, websocket … */
  resource_type: Type.String({ maxLength: 32 }),
  /** 0 where no answer came. */
  status_code: Type.Integer({ minimum: 0, maximum: 999 }),
  content_type: Type.String({ maxLength: 300 }),
  /** Octets of the answer on the wire, its head included. */
  content_length: Type.Integer({ minimum: 0 }),
  elapsed_ms: Type.Integer({ minimum: 0 }),
  /** ms since the first request. */
  started_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  /** ms from the request to the head of its answer; 0 where none came. */
  ttfb_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  ip_address: Type.String({ maxLength: 45 }),
  /** Why no answer came, such as `net::ERR_NAME_NOT_RESOLVED`; empty where one did. */
  error: Type.String({ maxLength: 200 }),
});
export type SentRequest = Static<typeof SentRequest>;
const Requests = Type.Object({
  page: LoadedPage,
  requests: Type.Array(SentRequest),
  /** There were more. */
  truncated: Type.Boolean(),
});

interface RenderShape<J extends TObject = TObject, R extends TObject = TObject> {
  job: J;
  result: R;
}
const shapes = <T extends Record<RenderKind, RenderShape>>(all: T): T => all;

/** Job and result of each kind, as they travel; a file and the page's HTML come beside the result. */
export const RENDERS = shapes({
  screenshot: { job: ScreenshotJob, result: Image },
  pdf: { job: PdfJob, result: Pdf },
  requests: { job: RequestsJob, result: Requests },
});
export type RenderJob<K extends RenderKind> = Static<(typeof RENDERS)[K]['job']>;
export type RenderResult<K extends RenderKind> = Static<(typeof RENDERS)[K]['result']>;

export interface Rendered<K extends RenderKind> {
  result: RenderResult<K>;
  /** PNG, JPEG, WebP, AVIF or PDF; empty where no page came, and for `requests`. */
  file: Uint8Array;
  /** The page's markup after its scripts ran, at most its first MB; empty where no page came. */
  html: string;
}

/** The result of a renderer's job. */
export interface RenderOutput<K extends RenderKind> {
  result: RenderResult<K>;
  file?: Uint8Array;
  html?: string;
}
