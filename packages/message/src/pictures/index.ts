export { type Code, CODES_MAX, codesIn, type Found } from './codes.ts';
export type { Drawing } from './drawing.ts';
export { drawingFrames, type Frame, pageFrames, rasterFrames } from './frames.ts';
export { htmlDrawings } from './html-art.ts';
export { isSpoilt } from './libraries.ts';
export { isHonest, isProgressive, type Raster, rasterOf } from './raster.ts';
export { textDrawings } from './text-art.ts';
