import type { MarkEvidence } from '../evidence.ts';
import { judgeSvg, type SvgJudgement, unpackSvg } from './svg.ts';

/** A logo file, unpacked and judged. */
export interface LogoFile {
  /** Undefined when it cannot be unpacked. */
  svg: Uint8Array | undefined;
  judgement: SvgJudgement;
}

/** Reads an SVG or svgz file. Any bytes will do. */
export async function readLogo(file: Uint8Array): Promise<LogoFile> {
  try {
    const svg = await unpackSvg(file);
    return { svg, judgement: judgeSvg(svg) };
  } catch {
    // zlib's error: not gzip, or too large
    const judgement = { version: '', baseProfile: '', title: '', faults: ['it cannot be unpacked, or to too much'], advice: [] };
    return { svg: undefined, judgement };
  }
}

/** The logo inside a certificate, which is shown when `l=` is empty; undefined when it is missing or unreadable. */
export function readCarriedLogo({ logo }: MarkEvidence): LogoFile | undefined {
  return logo && logo !== 'unreadable' ? { svg: logo.svg, judgement: judgeSvg(logo.svg) } : undefined;
}
