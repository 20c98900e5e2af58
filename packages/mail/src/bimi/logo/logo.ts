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
    // zlib's word that this is no gzip, or too much of it
    const judgement = { version: '', baseProfile: '', title: '', faults: ['it cannot be unpacked, or to too much'], advice: [] };
    return { svg: undefined, judgement };
  }
}

/** The logo inside a certificate, which is shown where `l=` is empty; undefined where there is none, or it cannot be read. */
export function readCarriedLogo({ logo }: MarkEvidence): LogoFile | undefined {
  return logo && logo !== 'unreadable' ? { svg: logo.svg, judgement: judgeSvg(logo.svg) } : undefined;
}
