import { readContent, readDocument } from '@vedette/web/page';
import { describe, expect, it } from 'vitest';

const URL_OF_PAGE = 'https://a.test/path/page';
const markupOf = async (html: string) => (await readContent(html, URL_OF_PAGE)).markup;

describe('the content of a page with its elements', () => {
  it('has what stands around it left out, and of its own elements all that runs, looks or identifies', async () => {
    const html = `<nav><a href="/menu">Menu</a></nav><p id="x" class="big" style="color:red" onclick="run()" lang="de">Ein <b>Satz</b>.</p>
      <script>run()</script><style>p{}</style><noscript>no</noscript><div class="cookie-banner">Cookies</div><footer>Imprint</footer>`;
    expect((await markupOf(html)).replaceAll(/\s+/g, ' ').trim()).toBe('<p lang="de">Ein <b>Satz</b>.</p>');
  });

  it('is the main part alone, where that says enough', async () => {
    const words = 'Words that are read. '.repeat(20);
    expect(await markupOf(`<div>Beside</div><main><p>${words}</p></main><div>After</div>`)).toBe(`<main><p>${words}</p></main>`);
    expect(await markupOf(`<div>${words}</div><main>Short</main>`)).toContain('<div>Words');
  });

  it('has no link that runs, however it is written', async () => {
    for (const href of ['javascript:run()', ' JavaScript:run()', 'java\nscript:run()', '&#106;avascript:run()', '\u0001javascript:run()'])
      expect(await markupOf(`<a href="${href}">Run</a>`)).toBe('<a>Run</a>');
    expect(await markupOf('<a href="/javascript:x">Go</a>')).toBe('<a href="/javascript:x">Go</a>');
  });

  it('says nothing that was not said: text and attributes are escaped', async () => {
    const html = '<p title="a&quot; onclick=&quot;run()">1 &lt; 2 &amp;amp; &lt;script&gt;run()&lt;/script&gt;</p>';
    const markup = await markupOf(html);
    expect(markup).toBe('<p title="a&quot; onclick=&quot;run()">1 &lt; 2 &amp;amp; &lt;script&gt;run()&lt;/script&gt;</p>');
    expect((await readDocument(markup, URL_OF_PAGE)).text).toBe((await readDocument(html, URL_OF_PAGE)).text);
  });

  it('has the links of the content alone, absolute by the base of the page', async () => {
    const html =
      '<head><base href="https://b.test/dir/"></head><nav><a href="/menu">Menu</a></nav><p><a href="next">Next</a><img src="x.png" alt="X"></p>';
    const { links, markup } = await readContent(html, URL_OF_PAGE);
    expect(links).toEqual([{ url: 'https://b.test/dir/next', text: 'Next', rel: '', external: true }]);
    expect(markup).toContain('<img src="x.png" alt="X"></p>');
  });

  it('is bounded, whatever the page', async () => {
    expect((await markupOf('<p>&amp;'.repeat(500_000))).length).toBeLessThan(2.2 * 1024 * 1024);
    expect(await markupOf('<div>'.repeat(100_000))).toMatch(/^(?:<div>)+(?:<\/div>)*$/);
  });
});
