/**
 * What SVG Tiny Portable/Secure leaves of SVG Tiny 1.2: draft-svg-tiny-ps-abrotman and the RELAX NG schema that the
 * AuthIndicators Working Group publishes with it.
 */

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const METADATA = words('about class content datatype property rel resource rev role typeof xml:base xml:lang xml:space');
const IDENTITY = words('id xml:id');
const CONDITIONS = words('requiredFonts systemLanguage');
const PROPERTIES = words(`
  color color-rendering direction display-align fill fill-opacity fill-rule font-family font-size font-style font-variant font-weight
  line-increment solid-color solid-opacity stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-align text-anchor unicode-bidi vector-effect`);
const MEDIA = words(`
  buffered-rendering display image-rendering shape-rendering text-rendering viewport-fill viewport-fill-opacity visibility`);

const STYLED = [...METADATA, ...IDENTITY, ...PROPERTIES];
const DRAWN = [...STYLED, ...CONDITIONS, 'transform'];
const DESCRIPTIVE = [...METADATA, ...IDENTITY, ...CONDITIONS, ...MEDIA];

const element = (shared: readonly string[], own = ''): ReadonlySet<string> => new Set([...shared, ...words(own)]);

/** The elements, each with its attributes. What is not here is not allowed. */
export const SVG_ELEMENTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'svg',
    element(
      [...METADATA, ...IDENTITY, ...PROPERTIES],
      `baseProfile contentScriptType externalResourcesRequired focusable height playbackOrder preserveAspectRatio snapshotTime
       timelineBegin version viewBox width zoomAndPan`,
    ),
  ],
  ['title', element(DESCRIPTIVE)],
  ['desc', element(DESCRIPTIVE)],
  ['defs', element(STYLED)],
  ['g', element(DRAWN)],
  ['use', element(DRAWN, 'href xlink:href x y')],
  ['path', element(DRAWN, 'd pathLength')],
  ['rect', element(DRAWN, 'height rx ry width x y')],
  ['circle', element(DRAWN, 'cx cy r')],
  ['ellipse', element(DRAWN, 'cx cy rx ry')],
  ['line', element(DRAWN, 'x1 x2 y1 y2')],
  ['polyline', element(DRAWN, 'points')],
  ['polygon', element(DRAWN, 'points')],
  ['text', element(DRAWN, 'editable rotate x y')],
  ['textArea', element(DRAWN, 'height width x y')],
  ['linearGradient', element(STYLED, 'gradientUnits x1 x2 y1 y2')],
  ['radialGradient', element(STYLED, 'cx cy gradientUnits r')],
  ['solidColor', element(STYLED)],
  ['stop', element(STYLED, 'offset')],
]);

/** Attributes of the root that may stand there with this value only. */
export const SVG_ROOT_VALUES: ReadonlyMap<string, string> = new Map([
  ['version', '1.2'],
  ['baseProfile', 'tiny-ps'],
  ['externalResourcesRequired', 'false'],
  ['focusable', 'false'],
  ['playbackOrder', 'all'],
  ['snapshotTime', 'none'],
  ['timelineBegin', 'onLoad'],
  ['zoomAndPan', 'disable'],
]);

export const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['xmlns', 'http://www.w3.org/2000/svg'],
  ['xmlns:svg', 'http://www.w3.org/2000/svg'],
  ['xmlns:xlink', 'http://www.w3.org/1999/xlink'],
]);
