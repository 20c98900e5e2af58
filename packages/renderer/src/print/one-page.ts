import type { CDPSession } from 'puppeteer-core';
import { KEEP_HEIGHTS } from '../page/heights.ts';
import { inWorld } from '../page/world.ts';
import { pdfPages } from './pdf-pages.ts';
import { type NoFile, print, type Print } from './print.ts';
import { FLATTEN, HEIGHT } from './style.ts';

/** Viewers show nothing beyond 14,400 points (ISO 32000-1, annex C): 200 inches. */
const PAPER_MAX_PX = 200 * 96;
const SCALE_MIN = 0.1;
const SCALE_TRIES = 8;
const GROW_TRIES = 4;
/** The height by which a print may exceed the window's: fonts and lines are measured anew. */
const GROW = { by: 1.04, px: 16 };
const MEASURE_MS = 3_000;

interface Scope {
  session: CDPSession;
  frameId: string;
}

/**
 * Prints all of the page on one sheet: as wide as `sheet`, at least as high, and as much higher as the page needs. Where no paper is so high it is printed
 * smaller; what does not fit at the smallest scale is cut off.
 */
export async function printOnePage(scope: Scope, sheet: Print): Promise<Uint8Array | NoFile> {
  const { session } = scope;
  const { scale } = await fit(scope, sheet);
  await flatten(scope, { ...sheet, scale });
  let fitted = await fit(scope, { ...sheet, scale });
  for (let tries = 0; tries < GROW_TRIES; tries++) {
    const file = await print(session, fitted);
    if (!isLong(file)) return file;
    fitted = { ...fitted, height: Math.min(PAPER_MAX_PX, fitted.height * GROW.by + GROW.px) };
  }
  return await print(session, { ...fitted, height: Math.max(fitted.height, sheet.height), ranges: '1' });
}

const isLong = (file: Uint8Array | NoFile): boolean => typeof file !== 'string' && pdfPages(file) !== 1;

/** The sheet with the height that the page needs, and the largest scale at which a paper can have it. */
async function fit(scope: Scope, sheet: Print): Promise<Print> {
  const room = PAPER_MAX_PX - 2 * sheet.margin;
  let { scale } = sheet;
  for (let tries = 0; ; tries++) {
    const content = (await heightAt(scope, { ...sheet, scale })) * scale;
    if (content <= room || scale <= SCALE_MIN || tries >= SCALE_TRIES)
      return { ...sheet, scale, height: Math.max(sheet.height, Math.min(PAPER_MAX_PX, Math.ceil(content) + 2 * sheet.margin)) };
    // Text that has more room for its lines takes fewer of them: both sides shrink.
    scale = Math.max(SCALE_MIN, Math.min(scale * 0.98, scale * Math.sqrt(room / content)));
  }
}

async function heightAt({ session, frameId }: Scope, sheet: Print): Promise<number> {
  await setWindow(session, sheet);
  return (await inWorld<number>(session, HEIGHT, { frameId, timeout_ms: MEASURE_MS })) ?? sheet.height;
}

/** Elements that are as high as the sheet's window stay so high on a higher sheet, and none begins a new one. */
async function flatten({ session, frameId }: Scope, sheet: Print): Promise<void> {
  await setWindow(session, sheet);
  await inWorld(session, KEEP_HEIGHTS, { frameId, timeout_ms: MEASURE_MS });
  await setWindow(session, { ...sheet, height: sheet.height * 1.5 + 100 });
  await inWorld(session, FLATTEN, { frameId, timeout_ms: MEASURE_MS });
}

/** A window in which the page is laid out as on the sheet. */
async function setWindow(session: CDPSession, { width, height, margin, scale }: Print): Promise<void> {
  const inner = (px: number): number => Math.max(1, Math.floor((px - 2 * margin) / scale));
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: inner(width),
    height: Math.min(inner(height), 10_000_000),
    deviceScaleFactor: 1,
    mobile: false,
  });
}
