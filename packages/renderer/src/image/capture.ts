import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserFailure } from '../browser/warm-browser.ts';
import type { CDPSession, Protocol } from 'puppeteer-core';

/** A part of the document from its top, in CSS pixels. */
export interface Area {
  /** Its left edge. */
  x: number;
  width: number;
  height: number;
}

/** A piece of the picture, as an uncompressed-as-may-be PNG. Pieces stand one below the other. */
export type Piece = Uint8Array;

/** Higher surfaces come out black, or not at all, where the graphics driver has its limit. */
const PIECE_MAX_PX = 8_192;

/** The part of the page that its window shows. */
export async function captureWindow(session: CDPSession): Promise<Piece[]> {
  return [await capture(session, { captureBeyondViewport: false })];
}

/** The document from its top, whatever the window shows, at `scale` pictured pixels to one of the screen. */
export async function captureDocument(
  session: CDPSession,
  { x, width, height }: Area,
  scale: { screen: number; picture: number },
): Promise<Piece[]> {
  const step = Math.max(1, Math.floor(PIECE_MAX_PX / (scale.screen * scale.picture)));
  const pieces: Piece[] = [];
  for (let y = 0; y < height; y += step) {
    const clip = { x, y, width, height: Math.min(step, height - y), scale: scale.picture };
    pieces.push(await capture(session, { captureBeyondViewport: true, clip }));
  }
  return pieces;
}

type CaptureOptions = Protocol.Page.CaptureScreenshotRequest;

/** Chromium's quick PNG, or its thorough one: the first fails now and then. */
async function capture(session: CDPSession, options: CaptureOptions): Promise<Piece> {
  try {
    return await send(session, { ...options, optimizeForSpeed: true });
  } catch {
    try {
      return await send(session, options);
    } catch (cause) {
      throw new BrowserFailure('no picture could be taken', { cause });
    }
  }
}

/** A document that gives way to another while it is captured may never be: what a page that reloads itself shows is then captured anew. */
const SWAPPED_MS = 3_000;
const TRIES = 3;

async function send(session: CDPSession, options: CaptureOptions): Promise<Piece> {
  const pictures: Promise<{ data: string }>[] = [];
  for (let tries = 1; tries < TRIES; tries++) {
    const picture = session.send('Page.captureScreenshot', { format: 'png', ...options });
    pictures.push(picture);
    const taken = await Promise.race([...pictures, sleep(SWAPPED_MS, undefined, { ref: false })]);
    if (taken !== undefined) return Buffer.from(taken.data, 'base64');
    await Promise.race([session.send('Page.stopLoading').catch(() => undefined), sleep(SWAPPED_MS, undefined, { ref: false })]);
  }
  const { data } = await Promise.race([...pictures, session.send('Page.captureScreenshot', { format: 'png', ...options })]);
  return Buffer.from(data, 'base64');
}
