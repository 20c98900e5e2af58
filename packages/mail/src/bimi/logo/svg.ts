import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { shown } from '../../findings/index.ts';
import { grammarFaults } from './svg-grammar.ts';
import { readXml, type XmlElement } from './xml.ts';

/** The most bytes that are read of a logo file, and of its unpacked form. */
export const SVG_MAX_BYTES = 1024 * 1024;
const SVG_ADVISED_BYTES = 32 * 1024;
const TITLE_MAX_CHARS = 200;
const FAULTS_MAX = 20;

/** A logo, judged. Texts are the file's own, cut short. */
export interface SvgJudgement {
  /** `version`, `baseProfile` and the title; empty where they are missing. */
  version: string;
  baseProfile: string;
  title: string;
  /** Why it is not SVG Tiny Portable/Secure; empty when it is. */
  faults: readonly string[];
  /** Allowed properties that are worth changing. */
  advice: readonly string[];
}

/** The text of an SVG or svgz file. Rejects for data that is not gzip all the way, or unpacks to more than `SVG_MAX_BYTES`. */
export async function unpackSvg(file: Uint8Array): Promise<Uint8Array> {
  const isGzip = file[0] === 0x1f && file[1] === 0x8b;
  return isGzip ? gunzipAsync(file, { maxOutputLength: SVG_MAX_BYTES }) : file;
}
const gunzipAsync = promisify(gunzip);

/** Judges a logo by draft-svg-tiny-ps-abrotman §2, in time linear in its size. Any bytes will do. */
export function judgeSvg(file: Uint8Array): SvgJudgement {
  const nothing: SvgJudgement = { version: '', baseProfile: '', title: '', faults: [], advice: [] };
  const text = decode(file);
  if (text === undefined) return { ...nothing, faults: ['it is not UTF-8'] };
  const { elements, fault } = readXml(text);
  const root = elements[0];
  if (!root) return { ...nothing, faults: [`it is not XML: ${fault}`] };
  const title = elements.find(({ name, parent }) => parent === root && /^(?:.*:)?title$/.test(name))?.text.trim();
  const faults = new Set<string>();
  for (const found of faultsOf(elements, title, fault)) {
    faults.add(found);
    if (faults.size === FAULTS_MAX) break;
  }
  return {
    version: shown(root.attributes.get('version') ?? ''),
    baseProfile: shown(root.attributes.get('baseProfile') ?? ''),
    title: (title ?? '').slice(0, TITLE_MAX_CHARS),
    faults: [...faults],
    advice: adviceOn(root, file.length),
  };
}

function decode(file: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return undefined; // the decoder's word that these bytes are not UTF-8
  }
}

/** The grammar's faults, and what it leaves open: a title that says nothing, and what leads outside the file. */
function* faultsOf(elements: readonly XmlElement[], title: string | undefined, fault: string): Generator<string> {
  if (fault !== '') yield `it has ${fault}`;
  yield* grammarFaults(elements);
  if (title === '') yield 'its <title> is empty';
  for (const { name, attributes } of elements)
    for (const [attribute, value] of attributes)
      if (isReference(attribute) ? !value.trim().startsWith('#') : leadsOutside(value))
        yield `${shown(attribute)} in <${shown(name)}> refers to something outside the file`;
}

const isReference = (attribute: string): boolean => attribute === 'href' || attribute.endsWith(':href') || attribute === 'xml:base';

const leadsOutside = (value: string): boolean => /url\((?!\s*["']?#)/i.test(value);

function adviceOn({ attributes }: XmlElement, bytes: number): string[] {
  const advice: string[] = [];
  if (bytes > SVG_ADVISED_BYTES) advice.push(`it has ${bytes} bytes, and mailbox providers may refuse more than ${SVG_ADVISED_BYTES}`);
  const [, , width, height] = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/, 4)
    .map(Number);
  if (!(width !== undefined && width > 0 && width === height)) advice.push('its viewBox is not a square, so it may be cut or padded');
  return advice;
}
