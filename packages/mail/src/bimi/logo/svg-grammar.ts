import { listing, shown } from '../../findings/index.ts';
import { trimFolding } from '../../tag-list/index.ts';
import type { XmlElement } from './xml.ts';

/*
 * SVG Tiny Portable/Secure as a table: the RELAX NG schema SVG_1.2_PS that the AuthIndicators Working Group publishes beside
 * draft-svg-tiny-ps-abrotman, element by element (docs/adr/0022-an-svg-grammar-as-a-table.md). A test compares with xmllint, by a
 * transcription of the schema that is ours too.
 */

/** The allowed values of an attribute: any, one of these words, or a match of the pattern. White space around words and ids does not count. */
type ValueRule = 'any' | readonly string[] | { pattern: RegExp; is: string };

type Attributes = ReadonlyMap<string, ValueRule>;

interface ElementRule {
  attributes: Attributes;
  /** Elements that may stand inside in any number and order, or character data alone, or nothing. */
  content: readonly string[] | 'text' | 'nothing';
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
const anything = (names: string): Attributes => new Map(words(names).map((name) => [name, 'any']));
const oneOf = (rules: Readonly<Record<string, string>>): Attributes =>
  new Map(Object.entries(rules).map(([name, values]) => [name, words(values)]));
const merged = (...groups: Attributes[]): Attributes => new Map(groups.flatMap((group) => [...group]));

// NCName of XML Namespaces and NMTOKENS of XML, for the characters of XML 1.0 §2.3.
const NAME_START = String.raw`A-Z_a-z\u{c0}-\u{d6}\u{d8}-\u{f6}\u{f8}-\u{2ff}\u{370}-\u{37d}\u{37f}-\u{1fff}\u{200c}\u{200d}\u{2070}-\u{218f}\u{2c00}-\u{2fef}\u{3001}-\u{d7ff}\u{f900}-\u{fdcf}\u{fdf0}-\u{fffd}\u{10000}-\u{effff}`;
const NAME_REST = String.raw`${NAME_START}\-.0-9\u{b7}\u{300}-\u{36f}\u{203f}\u{2040}`;
const SPACE = String.raw`[ \t\r\n]`;
const ID: ValueRule = { pattern: new RegExp(`^${SPACE}*[${NAME_START}][${NAME_REST}]*${SPACE}*$`, 'u'), is: 'a name' };
const CLASSES: ValueRule = {
  pattern: new RegExp(`^${SPACE}*[:${NAME_REST}]+(?:${SPACE}+[:${NAME_REST}]+)*${SPACE}*$`, 'u'),
  is: 'a list of names',
};
const LANGUAGE: ValueRule = { pattern: /^[ \t\r\n]*(?:[a-z]{1,8}(?:-[a-z0-9]{1,8})*[ \t\r\n]*)?$/i, is: 'a language' };
const ASPECT: ValueRule = {
  pattern: /^[ \t\r\n]*(?:none|xMidYMid)(?:[ \t\r\n]*meet)?[ \t\r\n]*$/,
  is: 'none or xMidYMid, with or without meet',
};

const CORE = merged(
  anything('xml:base role rel rev typeof content datatype resource about property'),
  oneOf({ 'xml:space': 'default preserve' }),
  new Map([
    ['id', ID],
    ['xml:id', ID],
    ['xml:lang', LANGUAGE],
    ['class', CLASSES],
  ]),
);
const CONDITIONS = anything('requiredFonts systemLanguage');
const PROPERTIES = merged(
  anything(`color fill fill-opacity font-family font-size line-increment solid-color solid-opacity stop-color stop-opacity
    stroke stroke-dasharray stroke-dashoffset stroke-miterlimit stroke-opacity stroke-width`),
  oneOf({
    'color-rendering': 'auto optimizeSpeed optimizeQuality inherit',
    direction: 'ltr rtl inherit',
    'display-align': 'auto before center after inherit',
    'fill-rule': 'inherit nonzero evenodd',
    'font-style': 'normal italic oblique inherit',
    'font-variant': 'normal small-caps inherit',
    'font-weight': 'normal bold bolder lighter inherit',
    'stroke-linecap': 'butt round square inherit',
    'stroke-linejoin': 'miter round bevel inherit',
    'text-align': 'start center end inherit',
    'text-anchor': 'start middle end inherit',
    'unicode-bidi': 'normal embed bidi-override inherit',
    'vector-effect': 'none non-scaling-stroke inherit',
  }),
);
const MEDIA = merged(
  anything('viewport-fill viewport-fill-opacity'),
  oneOf({
    'buffered-rendering': 'auto dynamic static inherit',
    display: `inline block list-item run-in compact marker table inline-table table-row-group table-header-group
      table-footer-group table-row table-column-group table-column table-cell table-caption none inherit`,
    'image-rendering': 'auto optimizeSpeed optimizeQuality inherit',
    'shape-rendering': 'auto optimizeSpeed crispEdges geometricPrecision inherit',
    'text-rendering': 'auto optimizeSpeed optimizeLegibility geometricPrecision inherit',
    visibility: 'visible hidden collapse inherit',
  }),
);
const ROOT = merged(
  anything('width height viewBox contentScriptType'),
  oneOf({
    baseProfile: 'tiny-ps',
    externalResourcesRequired: 'false',
    focusable: 'false',
    playbackOrder: 'all',
    snapshotTime: 'none',
    timelineBegin: 'onLoad',
    version: '1.2',
    zoomAndPan: 'disable',
    'font-weight': 'normal bold bolder lighter', // here without "inherit"
  }),
  new Map([['preserveAspectRatio', ASPECT]]),
);

const STYLED = merged(CORE, PROPERTIES);
const DRAWN = merged(STYLED, CONDITIONS, anything('transform'));
const DESCRIPTIVE = merged(CORE, CONDITIONS, MEDIA);
const GRADIENT = merged(STYLED, oneOf({ gradientUnits: 'userSpaceOnUse objectBoundingBox' }));

const shape = (own: string): ElementRule => ({ attributes: merged(DRAWN, anything(own)), content: 'nothing' });
const GRAPHICS = words(`path rect circle line ellipse polyline polygon solidColor textArea linearGradient radialGradient text g defs use`);

const ELEMENTS: ReadonlyMap<string, ElementRule> = new Map<string, ElementRule>([
  ['svg', { attributes: merged(STYLED, ROOT), content: ['desc', ...GRAPHICS, 'metadata'] }],
  ['title', { attributes: DESCRIPTIVE, content: 'text' }],
  ['desc', { attributes: DESCRIPTIVE, content: 'text' }],
  ['metadata', { attributes: new Map(), content: 'text' }],
  ['g', { attributes: DRAWN, content: GRAPHICS }],
  ['defs', { attributes: STYLED, content: GRAPHICS }],
  ['use', shape('href x y')],
  ['path', shape('d pathLength')],
  ['rect', shape('x y width height rx ry')],
  ['circle', shape('cx cy r')],
  ['ellipse', shape('rx ry cx cy')],
  ['line', shape('x1 y1 x2 y2')],
  ['polyline', shape('points')],
  ['polygon', shape('points')],
  ['text', { attributes: merged(DRAWN, anything('x y rotate'), oneOf({ editable: 'none' })), content: 'text' }],
  ['textArea', { attributes: merged(DRAWN, anything('x y width height')), content: 'text' }],
  ['linearGradient', { attributes: merged(GRADIENT, anything('x1 y1 x2 y2')), content: ['stop'] }],
  ['radialGradient', { attributes: merged(GRADIENT, anything('cx cy r')), content: ['stop'] }],
  ['solidColor', { attributes: STYLED, content: 'nothing' }],
  ['stop', { attributes: merged(STYLED, anything('offset')), content: 'nothing' }],
]);

const REQUIRED_OF_ROOT = { version: '1.2', baseProfile: 'tiny-ps' } as const;
const SVG = 'http://www.w3.org/2000/svg';
const XML = 'http://www.w3.org/XML/1998/namespace';

/** The namespaces that an element declares, and those around it. Linked, since a document may declare many, many times. */
interface Scope {
  own: ReadonlyMap<string, string>;
  outer: Scope | undefined;
}

/** The defects of a document by the grammar, in document order; empty when the schema accepts it. In time linear in its size. */
export function* grammarFaults(elements: readonly XmlElement[]): Generator<string> {
  const [root] = elements;
  if (!root) return;
  const { namespace: home, local } = expand(root.name, scopeOf(root, undefined), 'element');
  if (local !== 'svg') return yield `its root is <${shown(root.name)}>, not <svg>`;
  if (home !== SVG) yield 'its root is not in the namespace of SVG'; // and is judged all the same, for one fault may hide others
  const standing = new Map<XmlElement, Standing>();
  for (const element of elements) {
    const around = element.parent && standing.get(element.parent);
    const scope = scopeOf(element, around?.scope);
    const name = expand(element.name, scope, 'element');
    const rule = name.namespace === home ? ELEMENTS.get(name.local) : undefined;
    const here: Standing = { name: name.local, rule, scope, isRoot: !around, children: 0, titles: 0 };
    standing.set(element, here);
    if (around) around.children++;
    if (!rule) {
      const belongs = name.namespace === home || name.namespace === '' ? '' : `: it belongs to ${shown(name.namespace)}`;
      yield `<${shown(element.name)}> is not allowed${belongs}`;
      continue;
    }
    if (around) yield* placeFaults(name.local, around);
    yield* attributeFaults(element, rule, here);
    if (rule.content !== 'text' && /[^ \t\r\n]/.test(element.text)) yield `text is not allowed in <${name.local}>`;
  }
  if (standing.get(root)?.titles === 0) yield 'it has no <title> directly below <svg>';
}

/** An element that was read. */
interface Standing {
  name: string;
  rule: ElementRule | undefined;
  scope: Scope;
  isRoot: boolean;
  children: number;
  titles: number;
}

/** Where an element stands. The one title comes first below the root; all else stands in any order. */
function* placeFaults(name: string, around: Standing): Generator<string> {
  if (name === 'title' && around.isRoot) {
    if (around.titles++ > 0) yield '<title> stands more than once directly below <svg>';
    else if (around.children > 1) yield '<title> has to be the first element below <svg>';
    return;
  }
  const content = around.rule?.content;
  if (content !== undefined && (typeof content === 'string' || !content.includes(name)))
    yield `<${name}> is not allowed in <${around.name}>`;
}

function* attributeFaults(element: XmlElement, rule: ElementRule, { name, scope, isRoot }: Standing): Generator<string> {
  const found = new Set<string>();
  for (const [attribute, value] of element.attributes) {
    if (attribute === 'xmlns' || attribute.startsWith('xmlns:')) continue;
    const { namespace, local } = expand(attribute, scope, 'attribute');
    const known = namespace === XML ? `xml:${local}` : local;
    const allowed = namespace === XML || namespace === '' ? rule.attributes.get(known) : undefined;
    if (allowed === undefined) yield `${shown(attribute)} is not allowed in <${name}>${attribute === 'xlink:href' ? ': write href' : ''}`;
    else yield* valueFault(attribute, value, allowed, name);
    found.add(known);
  }
  if (found.has('id') && found.has('xml:id')) yield `id and xml:id stand together in <${name}>`;
  if (isRoot)
    for (const [attribute, value] of Object.entries(REQUIRED_OF_ROOT))
      if (!found.has(attribute)) yield `its root has no ${attribute}="${value}"`;
}

function* valueFault(attribute: string, value: string, rule: ValueRule, name: string): Generator<string> {
  if (rule === 'any') return;
  if ('pattern' in rule) {
    if (!rule.pattern.test(value)) yield `${attribute} in <${name}> is not ${rule.is}: "${shown(value)}"`;
  } else if (!rule.includes(trimFolding(value)))
    yield rule.length === 1
      ? `${attribute} is not "${rule[0]}"`
      : `${attribute} in <${name}> is none of ${listing(rule)}: "${shown(value)}"`;
}

function scopeOf({ attributes }: XmlElement, outer: Scope | undefined): Scope {
  const own = [...attributes].flatMap(([name, value]): [string, string][] =>
    name === 'xmlns' ? [['', value]] : name.startsWith('xmlns:') ? [[name.slice('xmlns:'.length), value]] : [],
  );
  return own.length === 0 && outer ? outer : { own: new Map(own), outer };
}

/** The namespace and local part of a name (XML Namespaces §6). An unknown prefix is left in the local part, which nothing allows. */
function expand(name: string, scope: Scope, kind: 'element' | 'attribute'): { namespace: string; local: string } {
  const colon = name.indexOf(':');
  if (colon < 0) return { namespace: kind === 'element' ? (namespaceOf(scope, '') ?? '') : '', local: name };
  const [prefix, local] = [name.slice(0, colon), name.slice(colon + 1)];
  const namespace = prefix === 'xml' ? XML : namespaceOf(scope, prefix);
  return namespace === undefined ? { namespace: '', local: name } : { namespace, local };
}

function namespaceOf(scope: Scope, prefix: string): string | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) if (at.own.has(prefix)) return at.own.get(prefix);
  return undefined;
}
