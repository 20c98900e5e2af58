import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { readBarcodes } from 'zxing-wasm/reader';
import type { PDFiumLibrary } from '@hyzyla/pdfium';
import type { Resvg } from '@resvg/resvg-wasm';
import type webpDecode from '@jsquash/webp/decode.js';

/** The used part of the API; its types are in the DOM library. */
declare const WebAssembly: {
  compile(bytes: ArrayBuffer): Promise<object>;
  RuntimeError: ErrorConstructor;
};

/** The WebAssembly of a library, which it would otherwise fetch from a foreign server. */
const program = (file: string): ArrayBuffer => new Uint8Array(readFileSync(createRequire(import.meta.url).resolve(file))).buffer;

interface Libraries {
  codes: typeof readBarcodes;
  drawings: typeof Resvg;
  documents: PDFiumLibrary;
  webp: typeof webpDecode;
}

/** Each takes 10 to 60 ms, so only what needs one loads it. */
const LOADERS: { readonly [L in keyof Libraries]: () => Promise<Libraries[L]> } = {
  async codes() {
    const reader = await import('zxing-wasm/reader');
    reader.prepareZXingModule({ overrides: { wasmBinary: program('zxing-wasm/reader/zxing_reader.wasm') } });
    return reader.readBarcodes;
  },
  async drawings() {
    const { initWasm, Resvg: drawing } = await import('@resvg/resvg-wasm');
    await initWasm(program('@resvg/resvg-wasm/index_bg.wasm'));
    return drawing;
  },
  async documents() {
    const { PDFiumLibrary: library } = await import('@hyzyla/pdfium');
    return await library.init({ wasmBinary: program('@hyzyla/pdfium/pdfium.wasm') });
  },
  async webp() {
    const { default: decode, init } = await import('@jsquash/webp/decode.js');
    await init(await WebAssembly.compile(program('@jsquash/webp/codec/dec/webp_dec.wasm')));
    return decode;
  },
};

const loading: Partial<Record<keyof Libraries, Promise<unknown>>> = {};

export const library = <L extends keyof Libraries>(name: L): Promise<Libraries[L]> =>
  (loading[name] ??= LOADERS[name]()) as Promise<Libraries[L]>;

let spoilt = false;

/** Whether a library has stopped in the middle of its work (a trap of WebAssembly): the process that it is in is of no more use. */
export const isSpoilt = (): boolean => spoilt;

/** Has libraries decode what a stranger made; undefined where that is broken. */
export async function decoded<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    spoilt ||= error instanceof WebAssembly.RuntimeError;
    return undefined;
  }
}
