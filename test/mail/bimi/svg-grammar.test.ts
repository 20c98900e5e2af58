import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { grammarFaults } from '../../../packages/mail/src/bimi/logo/svg-grammar.ts';
import { readXml } from '../../../packages/mail/src/bimi/logo/xml.ts';

/** Our transcription of the published schema, which xmllint judges by; also where this test has its elements, attributes and words from. */
const SCHEMA = new URL('svg-tiny-ps.rng', import.meta.url);
const schema = readFileSync(SCHEMA, 'utf8');
const ELEMENTS = [...new Set([...schema.matchAll(/<element name="([^"]+)"/g)].map(([, name]) => name!))];
const ATTRIBUTES = new Map<string, Set<string>>();
for (const [, name, rule] of schema.matchAll(/<attribute name="([^"]+)">(.*?)<\/attribute>/g)) {
  const values = ATTRIBUTES.get(name!) ?? ATTRIBUTES.set(name!, new Set()).get(name!)!;
  for (const [, value] of rule!.matchAll(/<value>([^<]*)<\/value>/g)) values.add(value!);
}

const SVG = 'http://www.w3.org/2000/svg';
const ROOT = `xmlns="${SVG}" version="1.2" baseProfile="tiny-ps"`;
const svg = (inside: string, root = ROOT, title = '<title>A</title>') => `<svg ${root}>${title}${inside}</svg>`;
/** A document with an element somewhere the schema has it. */
const around = (name: string, attributes: string, inside = '') => {
  const [open, written] = [`<${name} ${attributes}>${inside}</${name}>`, `${attributes} ${ROOT}`];
  if (name === 'svg') return svg(inside, written);
  if (name === 'title') return svg('', ROOT, open);
  return svg(name === 'stop' ? `<linearGradient>${open}</linearGradient>` : open);
};

const folder = mkdtempSync(join(tmpdir(), 'vedette-svg-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What xmllint makes of each document. */
async function xmllint(documents: readonly string[]): Promise<boolean[]> {
  documents.forEach((document, i) => writeFileSync(join(folder, `${i}.svg`), document));
  const said = await new Promise<string>((resolve, reject) =>
    execFile(
      'xmllint',
      ['--noout', '--relaxng', SCHEMA.pathname, ...documents.map((_, i) => `${i}.svg`)],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      // Its exit status tells that some are not valid; which, it says line by line.
      (error, _stdout, stderr) => (error && stderr === '' ? reject(error) : resolve(stderr)),
    ),
  );
  const valid = new Set([...said.matchAll(/^(\d+)\.svg validates$/gm)].map(([, i]) => Number(i)));
  return documents.map((_, i) => valid.has(i));
}

const faultsOf = (document: string): string[] => {
  const { elements, fault } = readXml(document);
  return [fault, ...grammarFaults(elements)].filter((text) => text !== '');
};

/** Compares all documents, and says how many are valid. */
async function agree(documents: readonly string[]): Promise<{ valid: number; invalid: number }> {
  const theirs = await xmllint(documents);
  const disagreements = documents.flatMap((document, i) => {
    const faults = faultsOf(document);
    return (faults.length === 0) === theirs[i] ? [] : [{ document, theirs: theirs[i], faults }];
  });
  expect(disagreements.slice(0, 10)).toEqual([]);
  const valid = theirs.filter(Boolean).length;
  return { valid, invalid: theirs.length - valid };
}

const XLINK = `${ROOT} xmlns:xlink="http://www.w3.org/1999/xlink"`;
const VARIANTS: [name: string, document: string][] = [
  ['the least that is a logo', svg('')],
  ['an empty title', svg('', ROOT, '<title/>')],
  ['no title', svg('', ROOT, '')],
  ['a title after a description', svg('<title>A</title>', ROOT, '<desc>d</desc>')],
  ['a title after a shape', svg('<title>A</title>', ROOT, '<rect/>')],
  ['a title after definitions', svg('<title>A</title>', ROOT, '<defs/>')],
  ['a title after metadata', svg('<title>A</title>', ROOT, '<metadata/>')],
  ['a title after a comment', svg('<title>A</title>', ROOT, '<!-- c -->')],
  ['two titles', svg('<title>B</title>')],
  ['two titles apart', svg('<rect/><title>B</title>')],
  ['a title in a group', svg('<g><title>B</title></g>')],
  ['a title in a shape', svg('<rect><title>B</title></rect>')],
  ['a title in a text', svg('<text>a<title>B</title></text>')],
  ['an element in the title', svg('', ROOT, '<title>A<desc/></title>')],
  ['a description in a group', svg('<g><desc>d</desc></g>')],
  ['a description in a shape', svg('<path><desc>d</desc></path>')],
  ['two descriptions', svg('<desc>d</desc><desc>e</desc>')],
  ['metadata with text', svg('<metadata>m</metadata>')],
  ['metadata with elements', svg('<metadata><rect/></metadata>')],
  ['metadata with an attribute', svg('<metadata id="m"/>')],
  ['metadata in a group', svg('<g><metadata/></g>')],
  ['metadata of another vocabulary', svg('<metadata><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>')],
  ['definitions in definitions', svg('<defs><defs><path/></defs></defs>')],
  ['a description in definitions', svg('<defs><desc>d</desc></defs>')],
  ['a stop in definitions', svg('<defs><stop/></defs>')],
  ['a stop below the root', svg('<stop/>')],
  ['a stop in a gradient', svg('<linearGradient><stop offset="0"/><stop offset="1"/></linearGradient>')],
  ['a shape in a gradient', svg('<radialGradient><rect/></radialGradient>')],
  ['a description in a gradient', svg('<radialGradient><desc/></radialGradient>')],
  ['a gradient in a gradient', svg('<linearGradient><linearGradient/></linearGradient>')],
  ['a gradient that another one is based on', svg('<linearGradient href="#a"/>')],
  ['a gradient with a transform', svg('<linearGradient gradientTransform="scale(2)"/>')],
  ['a text with a span', svg('<text>a<tspan>b</tspan></text>')],
  ['a text area with a break', svg('<textArea>a<tbreak/>b</textArea>')],
  ['an empty text', svg('<text/>')],
  ['a text that can be changed', svg('<text editable="simple">a</text>')],
  ['text below the root', svg('a')],
  ['text in a group', svg('<g>a<rect/></g>')],
  ['text in a shape', svg('<rect>a</rect>')],
  ['text in a CDATA section', svg('<g><![CDATA[a]]></g>')],
  ['white space in all of them', svg(' \t\r\n<g> <rect> </rect> </g> <linearGradient> <stop> </stop> </linearGradient> ')],
  ['a no-break space below the root', svg('\u00a0')],
  ['a group in a group', svg('<g><g><g/></g></g>')],
  ['a root in the root', svg('<svg/>')],
  ['a root in a group', svg(`<g><svg ${ROOT}><title/></svg></g>`)],
  ['a shape in a shape', svg('<rect><rect/></rect>')],
  ['a raster image', svg('<image href="data:image/png;base64,AAAA"/>')],
  ['a switch', svg('<switch/>')],
  ['a symbol', svg('<symbol/>')],
  ['a clip path', svg('<clipPath/>')],
  ['a font', svg('<defs><font/></defs>')],
  ['a style', svg('<style/>')],
  ['an animation', svg('<rect><animate/></rect>')],
  ['a use with href', svg('<use href="#a"/>')],
  ['a use with xlink:href', svg('<use xlink:href="#a"/>', XLINK)],
  ['a use with a size', svg('<use href="#a" width="1"/>')],
  ['an id and an xml:id', svg('<rect id="a" xml:id="b"/>')],
  ['an id on the root', svg('', `${ROOT} id="Layer_1"`)],
  ['an id that begins with a digit', svg('<rect id="1a"/>')],
  ['an id with a space', svg('<rect id="a b"/>')],
  ['an id with a colon', svg('<rect id="a:b"/>')],
  ['an id with white space around', svg('<rect id=" a&#10;"/>')],
  ['an id of another script', svg('<rect id="логотип"/>')],
  ['an empty id', svg('<rect id=""/>')],
  ['an empty class', svg('<rect class=""/>')],
  ['two classes', svg('<rect class=" 1a :b "/>')],
  ['a class with a comma', svg('<rect class="a,b"/>')],
  ['an empty language', svg('<title/>', `${ROOT} xml:lang=""`, '')],
  ['a language', svg('', `${ROOT} xml:lang="de-CH-1901"`)],
  ['a word with white space around', svg('<rect fill-rule=" evenodd&#9;"/>')],
  ['a word in another case', svg('<rect fill-rule="EvenOdd"/>')],
  ['a font weight as a number', svg('<text font-weight="700">a</text>')],
  ['an inherited font weight', svg('<text font-weight="inherit">a</text>')],
  ['an inherited font weight on the root', svg('', `${ROOT} font-weight="inherit"`)],
  ['opacity', svg('<g opacity="0.5"/>')],
  ['display on a shape', svg('<rect display="none"/>')],
  ['display on the title', svg('', ROOT, '<title display="none">A</title>')],
  ['a style attribute', svg('<rect style="fill:red"/>')],
  ['an event', svg('<rect onclick="x"/>')],
  ['conditions on definitions', svg('<defs systemLanguage="de"/>')],
  ['a transform on definitions', svg('<defs transform="scale(2)"/>')],
  ['x on the root', svg('', `${ROOT} x="0"`)],
  ['an aspect ratio', svg('', `${ROOT} preserveAspectRatio=" xMidYMid  meet "`)],
  ['an aspect ratio without a space', svg('', `${ROOT} preserveAspectRatio="nonemeet"`)],
  ['an aspect ratio that slices', svg('', `${ROOT} preserveAspectRatio="xMidYMid slice"`)],
  ['another aspect ratio', svg('', `${ROOT} preserveAspectRatio="xMinYMin meet"`)],
  ['another version', svg('', ROOT.replace('1.2', '1.1'))],
  ['a version with white space around', svg('', ROOT.replace('1.2', ' 1.2 '))],
  ['no version', svg('', ROOT.replace('version="1.2"', ''))],
  ['another profile', svg('', ROOT.replace('tiny-ps', 'tiny'))],
  ['no profile', svg('', ROOT.replace('baseProfile="tiny-ps"', ''))],
  ['another root', `<g ${ROOT}/>`],
  ['no namespace', svg('', ROOT.replace(`xmlns="${SVG}"`, ''))],
  ['another namespace', svg('', ROOT.replace(SVG, 'http://www.w3.org/1999/xhtml'))],
  ['another namespace inside', svg('<g xmlns="http://www.w3.org/1999/xhtml"/>')],
  ['the namespace undeclared inside', svg('<g xmlns=""><rect/></g>')],
  ['an own prefix', `<s:svg ${ROOT.replace('xmlns=', 'xmlns:s=')}><s:title>A</s:title><s:g><s:rect/></s:g></s:svg>`],
  ['an own prefix beside the default', svg('<s:rect/>', `${ROOT} xmlns:s="${SVG}"`)],
  ['an own prefix that changes', svg('<s:g xmlns:s="urn:a"/>', `${ROOT} xmlns:s="${SVG}"`)],
  ['an attribute in the namespace of SVG', svg('<s:rect s:x="1"/>', `${ROOT} xmlns:s="${SVG}"`)],
  ['an element of an editor', svg('<e:view/>', `${ROOT} xmlns:e="urn:editor"`)],
  ['an attribute of an editor', svg('<g e:label="a"/>', `${ROOT} xmlns:e="urn:editor"`)],
  ['a namespace of an editor that is not used', svg('<g/>', `${ROOT} xmlns:e="urn:editor"`)],
];

it(`takes and refuses what xmllint does by our transcription of the schema, in ${VARIANTS.length} variants`, async () => {
  const { valid, invalid } = await agree(VARIANTS.map(([, document]) => document));
  expect(Math.min(valid, invalid)).toBeGreaterThan(25);
});

it('goes by the letter of the schema where xmllint takes any text for a language', async () => {
  const documents = ['de_CH', 'abcdefghi', 'a b'].map((language) => svg('', `${ROOT} xml:lang="${language}"`));
  expect(await xmllint(documents)).toEqual([true, true, true]);
  for (const document of documents) expect(faultsOf(document)).toEqual([expect.stringMatching(/^xml:lang in <svg> is not a language: /)]);
});

it('agrees on every element inside every other, and on every attribute of every element', async () => {
  const nested = ELEMENTS.flatMap((outer) => ELEMENTS.map((inner) => around(outer, '', `<${inner}/>`)));
  const attributed = ELEMENTS.flatMap((name) =>
    [...ATTRIBUTES.keys(), 'opacity', 'style', 'onclick', 'xml:x'].flatMap((attribute) =>
      name === 'svg' && ['version', 'baseProfile'].includes(attribute) ? [] : [around(name, `${attribute}="inherit"`)],
    ),
  );
  const { valid, invalid } = await agree([...nested, ...attributed]);
  expect(Math.min(valid, invalid)).toBeGreaterThan(500);
});

it('agrees on every word of every attribute', async () => {
  const documents = [...ATTRIBUTES].flatMap(([attribute, values]) =>
    [...values, 'inherit', 'none', 'x', ''].flatMap((value) =>
      ['svg', 'title', 'path', 'text', 'linearGradient', 'stop'].flatMap((name) =>
        name === 'svg' && ['version', 'baseProfile'].includes(attribute)
          ? [svg('', `xmlns="${SVG}" ${attribute}="${value}" ${attribute === 'version' ? 'baseProfile="tiny-ps"' : 'version="1.2"'}`)]
          : [around(name, `${attribute}="${value}"`)],
      ),
    ),
  );
  const { valid, invalid } = await agree(documents);
  expect(Math.min(valid, invalid)).toBeGreaterThan(500);
});

it('agrees on documents of all that, put together by chance', async () => {
  const attribute = fc
    .constantFrom(...ATTRIBUTES)
    .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values, 'inherit', 'a', 'a b')))
    .filter(([name]) => name !== 'version' && name !== 'baseProfile');
  const attributes = fc
    .uniqueArray(attribute, { maxLength: 2, selector: ([name]) => name })
    .map((list) => list.map(([name, value]) => ` ${name}="${value}"`).join(''));
  const { element } = fc.letrec<{ element: string }>((tie) => ({
    element: fc
      .tuple(
        fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom('g', 'defs', 'linearGradient') },
          { weight: 4, arbitrary: fc.constantFrom(...ELEMENTS) },
        ),
        fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: attributes }),
        fc.oneof(
          { maxDepth: 3 },
          fc.constantFrom('', '', ' ', 'a'),
          fc.array(tie('element'), { maxLength: 3 }).map((list) => list.join('')),
        ),
      )
      .map(([name, written, inside]) => `<${name}${written}>${inside}</${name}>`),
  }));
  const documents = fc.sample(fc.array(element, { maxLength: 3 }), 2_000).map((inside) => svg(inside.join('')));
  const { valid, invalid } = await agree(documents);
  expect(Math.min(valid, invalid)).toBeGreaterThan(200);
});
