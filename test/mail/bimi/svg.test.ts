import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLogo } from '@vedette/mail/bimi';
import { SVG_MAX_BYTES } from '@vedette/mail/bimi';
import { judgeSvg } from '../../../packages/mail/src/bimi/logo/svg.ts';
import { runs } from '../../runs.ts';

const ROOT = 'xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 64 64"';
const svg = (inside: string, root = ROOT) => `<svg ${root}><title>A</title>${inside}</svg>`;
const judge = (text: string) => judgeSvg(Buffer.from(text));

describe('SVG Tiny Portable/Secure', () => {
  it('takes a logo that uses all of the profile', () => {
    const drawing = `<desc>d</desc><defs><linearGradient id="g" x1="0" x2="1" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="#fff"/>
      </linearGradient><radialGradient id="r" cx="1" cy="1" r="1"/><solidColor xml:id="s" solid-color="red"/></defs>
      <g fill="url( '#g')" transform="scale(2)"><path d="M0 0h1" fill-rule="evenodd"/><rect width="1" height="1" rx="1"/><circle r="1"/>
      <ellipse rx="1" ry="2"/><line x1="1"/><polyline points="0,0"/><polygon points="0,0"/><text x="1">a &amp; b &#x41;</text>
      <textArea width="9">t</textArea><use href="#g" x="1"/></g><!-- c --><![CDATA[ ]]>`;
    expect(judge(`<?xml version="1.0"?>\n${svg(drawing, `${ROOT} xmlns:xlink="http://www.w3.org/1999/xlink"`)}\n`)).toEqual({
      version: '1.2',
      baseProfile: 'tiny-ps',
      title: 'A',
      faults: [],
      advice: [],
    });
  });

  it.each([
    ['§2 the version', svg('', ROOT.replace('1.2', '1.1')), 'version is not "1.2"'],
    ['§2 the version is required', svg('', ROOT.replace('version="1.2"', '')), 'its root has no version="1.2"'],
    ['§2 the profile', svg('', ROOT.replace('tiny-ps', 'tiny')), 'baseProfile is not "tiny-ps"'],
    ['§2 the profile is required', svg('', ROOT.replace('baseProfile="tiny-ps"', '')), 'its root has no baseProfile="tiny-ps"'],
    ['§2 the title is required', `<svg ${ROOT}></svg>`, 'it has no <title> directly below <svg>'],
    ['§2 the title is not empty', `<svg ${ROOT}><title> </title></svg>`, 'its <title> is empty'],
    ['§2 the title stands below the root', svg('<g><title>B</title></g>'), '<title> is not allowed in <g>'],
    ['§2 the title comes first', `<svg ${ROOT}><defs/><title>A</title></svg>`, '<title> has to be the first element below <svg>'],
    ['§2 there is one title', svg('<title>B</title>'), '<title> stands more than once directly below <svg>'],
    ['§2 text stands in text elements', svg('<g>a</g>'), 'text is not allowed in <g>'],
    ['§2 shapes hold nothing', svg('<rect><rect/></rect>'), '<rect> is not allowed in <rect>'],
    ['§2 the words of an attribute', svg('<rect fill-rule="x"/>'), 'fill-rule in <rect> is none of inherit, nonzero, evenodd: "x"'],
    ['§2 an id is a name', svg('<rect id="1"/>'), 'id in <rect> is not a name: "1"'],
    ['§2 references are href', svg('<use xlink:href="#a"/>'), 'xlink:href is not allowed in <use>: write href'],
    ['§2 no x on the root', svg('', `${ROOT} x="0"`), 'x is not allowed in <svg>'],
    ['§2 no zoom', svg('', `${ROOT} zoomAndPan="magnify"`), 'zoomAndPan is not "disable"'],
    ['§2.1 no script', svg('<script>alert(1)</script>'), '<script> is not allowed'],
    ['§2.1 no events', svg('<rect onclick="alert(1)"/>'), 'onclick is not allowed in <rect>'],
    ['§2.1 no animation', svg('<rect><animate attributeName="x"/></rect>'), '<animate> is not allowed'],
    ['§2.1 no raster image', svg('<image xlink:href="data:image/png;base64,AAAA"/>'), '<image> is not allowed'],
    ['§2.1 no other documents', svg('<foreignObject/>'), '<foreignObject> is not allowed'],
    ['§2.1 no links', svg('<a xlink:href="#x"/>'), '<a> is not allowed'],
    ['§2.1 no style sheets', svg('<style>x{}</style>'), '<style> is not allowed'],
    ['§2.1 no style attributes', svg('<rect style="fill:red"/>'), 'style is not allowed in <rect>'],
    ['§2.1 names are case-sensitive', svg('<lineargradient/>'), '<lineargradient> is not allowed'],
    ['§2.1 no elements of editors', svg('<e:view xmlns:e="urn:e"/>'), '<e:view> is not allowed: it belongs to urn:e'],
    ['§2.1 no attributes of editors', svg('<g xmlns:e="urn:e" e:label="a"/>'), 'e:label is not allowed in <g>'],
    ['§2.1 no undeclared prefixes', svg('<svg:rect/>'), '<svg:rect> is not allowed'],
    ['§2.1 no svg inside', svg('<svg/>'), '<svg> is not allowed in <svg>'],
    ['§2.1 no external use', svg('<use href="https://a.test/x.svg#y"/>'), 'href in <use> refers to something outside the file'],
    ['§2.1 no external paint', svg('<rect fill="url(https://a.test/#p)"/>'), 'fill in <rect> refers to something outside the file'],
    ['§2.1 no external base', svg('<g xml:base="https://a.test/"/>'), 'xml:base in <g> refers to something outside the file'],
    [
      '§2.1 references may be hidden in references',
      svg('<rect fill="&#117;rl(//a.test)"/>'),
      'fill in <rect> refers to something outside the file',
    ],
    ['XML namespaces: the default one', svg('', ROOT.replace('2000/svg', '1999/xhtml')), 'its root is not in the namespace of SVG'],
    [
      'XML namespaces: another one inside',
      svg('<g xmlns="http://www.w3.org/1999/xhtml"/>'),
      '<g> is not allowed: it belongs to http://www.w3.org/1999/xhtml',
    ],
    ['XML 2.8 no document type', `<!DOCTYPE svg>${svg('')}`, 'it is not XML: a document type declaration'],
    ['XML 4.1 no entities', svg('&nbsp;'), 'it has an entity that is not declared, or a bare "&"'],
    ['XML 4.1 no entities in attributes', svg('<rect fill="&x;"/>'), 'it has an entity that is not declared, or a bare "&"'],
    ['XML 2.6 no processing instructions', svg('<?xml-stylesheet href="x"?>'), 'it has a processing instruction'],
    ['XML 3 elements are closed', `<svg ${ROOT}><title>A</title><g>`, 'it has <g> is not closed'],
    ['XML 3 in their order', svg('<g><rect></g></rect>'), 'it has </g> where another element has to end first'],
    ['XML 3 no stray end', svg('</g>'), 'it has </g> where another element has to end first'],
    ['XML 2.1 one root', `${svg('')}<svg/>`, 'it has more than one root element'],
    ['XML 2.1 no text beside the root', `${svg('')}x`, 'it has text outside the root element'],
    ['XML 3.1 attributes once', svg('<rect x="1" x="2"/>'), 'it has x twice in <rect>'],
    ['XML 3.1 values in quotes', svg('<rect x=1 />'), 'it has x without quotes around its value'],
    ['XML 2.3 names', svg('<1/>'), 'it has an element with a name that is not one'],
    ['not XML at all', 'logo', 'it is not XML: text outside the root element'],
    ['another document', '<html></html>', 'its root is <html>, not <svg>'],
    ['nothing', '', 'it is not XML: no element'],
  ])('%s', (_rule, text, fault) => {
    expect(judge(text).faults).toContain(fault);
  });

  it('wants UTF-8', () => {
    expect(judgeSvg(Buffer.from(svg('<desc>ü</desc>'), 'latin1')).faults).toEqual(['it is not UTF-8']);
  });

  it.each([
    ['a viewBox that is no square', svg('', ROOT.replace('64 64', '64 32')), 'its viewBox is not a square'],
    ['no viewBox', svg('', ROOT.replace('viewBox', 'width="1" class')), 'its viewBox is not a square'],
    ['more than 32 KB', svg(`<path d="${'M0 0'.repeat(9_000)}"/>`), 'bytes, and mailbox providers may refuse more than 32768'],
  ])('advises against %s', (_case, text, advice) => {
    expect(judge(text)).toMatchObject({ faults: [], advice: [expect.stringContaining(advice)] });
  });
});

describe('hostile logos', () => {
  const bomb = `<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(100)}">${Array.from({ length: 20 }, (_, i) => `<!ENTITY b${i} "${'&a;'.repeat(50)}">`).join('')}]>`;
  it.each([
    ['an entity bomb', `${bomb}${svg('&b19;')}`, 'document type declaration'],
    ['1 MB of open elements', '<g>'.repeat(350_000), 'nested more than 64 deep'],
    ['1 MB of elements', svg('<g/>'.repeat(250_000)), 'more than 20000 elements'],
    ['1 MB of end tags', `<svg>${'</g>'.repeat(250_000)}`, '</g> where another element has to end first'],
    ['1 MB of attributes', `<svg ${Array.from({ length: 100_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`, 'a0 is not allowed in <svg>'],
    ['1 MB of comment', `<!--${'-'.repeat(1_000_000)}`, 'no element'],
    ['1 MB of quote', `<svg a="${'x'.repeat(1_000_000)}`, 'no element'],
    ['1 MB of name', `<${'a'.repeat(1_000_000)}`, 'no element'],
    [
      '1 MB of white space in a reference',
      svg(`<g fill="url(${'\n'.repeat(1_000_000)}x)"/>`),
      'fill in <g> refers to something outside the file',
    ],
    [
      '1 MB of namespaces',
      svg(`<g ${Array.from({ length: 50_000 }, (_, i) => `xmlns:a${i}="b"`).join(' ')}>${'<g xmlns:c="d"/>'.repeat(9_999)}</g><x/>`),
      '<x> is not allowed',
    ],
    ['1 MB of white space in a list of names', svg(`<g class="a${' '.repeat(1_000_000)},"/>`), 'class in <g> is not a list of names'],
    ['1 MB of names in a list', svg(`<g class="${'a '.repeat(500_000)},"/>`), 'class in <g> is not a list of names'],
    [
      '1 MB of white space in an aspect ratio',
      svg('', `${ROOT} preserveAspectRatio="none${' '.repeat(1_000_000)}x"`),
      'preserveAspectRatio in <svg> is not none',
    ],
    ['1 MB of white space in a word', svg(`<g fill-rule="a${' '.repeat(1_000_000)}b"/>`), 'fill-rule in <g> is none of'],
    ['1 MB of letters in an id', svg(`<g id="${'a'.repeat(1_000_000)}:"/>`), 'id in <g> is not a name'],
    ['1 MB of ampersands', svg('&'.repeat(1_000_000)), 'an entity that is not declared'],
  ])('%s', (_case, text, fault) => {
    const { faults } = judge(text);
    expect(faults.join()).toContain(fault);
    expect(faults.length).toBeLessThanOrEqual(20);
  });

  it('unpacks svgz, and no bomb', async () => {
    const small = Buffer.from(svg(''));
    expect((await readLogo(gzipSync(small))).svg).toEqual(small);
    expect(await readLogo(gzipSync(Buffer.alloc(SVG_MAX_BYTES + 1)))).toMatchObject({
      svg: undefined,
      judgement: { faults: ['it cannot be unpacked, or to too much'] },
    });
    expect((await readLogo(gzipSync(small).subarray(0, 20))).svg).toBeUndefined();
  });

  it('judges any bytes, and finds fault with all that is no such logo', () => {
    const piece = fc.constantFrom(
      '<svg ',
      ROOT,
      '<title>',
      '</title>',
      '<g>',
      '</g>',
      '</svg>',
      '<?',
      '<!',
      '>',
      '/>',
      '"',
      '&',
      '=',
      ' ',
      '<![CDATA[',
      ']]>',
      'a',
    );
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 500 }), fc.string({ unit: piece, maxLength: 60 })), (file) => {
        const bytes = typeof file === 'string' ? Buffer.from(file) : file;
        const { title, faults } = judgeSvg(bytes);
        expect(faults.length > 0 || title !== '').toBe(true);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
