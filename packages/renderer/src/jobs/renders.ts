import type { RenderKind } from '@vedette/contract';
import { pdf } from './pdf.ts';
import type { Render } from './render.ts';
import { requests } from './requests.ts';
import { screenshot } from './screenshot.ts';

/** The abilities of this renderer, by kind. */
export const renders: { readonly [K in RenderKind]?: Render<K> } = { screenshot, pdf, requests };
