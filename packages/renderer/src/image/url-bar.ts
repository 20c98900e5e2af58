import sharp from 'sharp';
import type { Opened } from '../page/open-page.ts';
import type { Piece } from './capture.ts';
import { displayUrl } from './display-url.ts';

const BAR_HEIGHT = 52;
const INK = '#202124';
const PALE = '#5f6368';
const BROKEN = '#c5221f';

/** An address bar as wide as the picture below it, with the page's URL as it is in the end. The lock is shut only over TLS with a valid certificate. */
export async function urlBar({ loaded, device, secure }: Opened, below: Piece): Promise<Piece> {
  const { width } = await sharp(below).metadata();
  const height = Math.round(BAR_HEIGHT * device.scale);
  return await sharp(Buffer.from(barSvg(loaded.final_url, secure, { width: width / device.scale, scale: device.scale })))
    .resize({ width, height, fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** The bar as SVG; what does not fit fades at its right end, so that the host is always seen. */
export function barSvg(url: string, secure: boolean, { width, scale }: { width: number; scale: number }): string {
  const { scheme, host, rest } = displayUrl(url);
  const field = Math.max(1, width - 24);
  const textX = 48;
  const colour = secure ? PALE : BROKEN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${BAR_HEIGHT * scale}" viewBox="0 0 ${width} ${BAR_HEIGHT}">
<defs>
<linearGradient id="fade" gradientUnits="userSpaceOnUse" x1="0" x2="${width}" y1="0" y2="0"><stop offset="${Math.max(0, 1 - 72 / width)}" stop-color="#fff"/><stop offset="${Math.max(0, 1 - 28 / width)}" stop-color="#000"/></linearGradient>
<mask id="end"><rect width="${width}" height="${BAR_HEIGHT}" fill="url(#fade)"/></mask>
</defs>
<rect width="${width}" height="${BAR_HEIGHT}" fill="#fff"/>
<rect x="12" y="8" width="${field}" height="36" rx="18" fill="#f1f3f4"/>
${secure ? shutLock(colour) : warning(colour)}
<g mask="url(#end)"><text x="${textX}" y="31.5" font-family="Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif" font-size="16" xml:space="preserve"><tspan fill="${colour}">${escaped(scheme)}</tspan><tspan fill="${INK}">${escaped(host)}</tspan><tspan fill="${PALE}">${escaped(rest)}</tspan></text></g>
<rect y="${BAR_HEIGHT - 1}" width="${width}" height="1" fill="#dadce0"/>
</svg>`;
}

const shutLock = (colour: string): string =>
  `<g id="lock"><rect x="25" y="24" width="14" height="11" rx="2" fill="${colour}"/><path d="M28 24v-3a4 4 0 0 1 8 0v3" fill="none" stroke="${colour}" stroke-width="2"/></g>`;

const warning = (colour: string): string =>
  `<g id="warning"><path d="M32 17l9.5 17h-19z" fill="${colour}"/><path d="M32 23v5.5m0 1.5v2" stroke="#fff" stroke-width="2"/></g>`;

const escaped = (text: string): string => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
