import { again, type HostileMessages, htmlText, joined, numbered, single } from './shapes.ts';

const UNITS: Readonly<Record<string, string>> = {
  'nested tables': '<table><tr><td>',
  'nested divs': '<div>',
  'nested links': '<a href="https://a.test/">',
  'bold that is not closed': '<b>x',
  'closing tags': '</p>',
  'closing tags of nothing': '</x>',
  'lists that overlap': '<ul><li><b><i></ul></b>',
  'angle brackets': '<',
  'angle brackets and letters': '<a',
  'angle brackets and exclamation marks': '<!',
  'question marks': '<?',
  comments: '<!--',
  'comments that are closed': '<!---->',
  'ends of comments': '--!>',
  CDATA: '<![CDATA[',
  'conditional comments': '<!--[if mso]>',
  ampersands: '&',
  'character references': '&#65;',
  'character references without end': '&#6',
  'named character references': '&CounterClockwiseContourIntegral;',
  scripts: '<script>',
  'ends of scripts': '</script',
  styles: '<style>',
  'styles with URLs': '<style>a{b:url(https://a.test/)}</style>',
  titles: '<title>',
  'text areas': '<textarea>',
  templates: '<template>',
  'SVG and MathML': '<svg><math>',
  'links to scripts': '<a href="javascript:alert(1)">x</a>',
  'links to data': '<a href="data:text/html;base64,PGEgaHJlZj1odHRwOi8vYi50ZXN0Lz4=">x</a>',
  pictures: '<img src=https://a.test/p.gif width=1>',
  'pictures by content': '<img src="cid:a">',
  'pictures in data': '<img src="data:image/png;base64,iVBORw0KGgo=">',
  'base addresses': '<base href="https://a.test/b/">',
  'base addresses and links': '<base href="b/"><a href="c">x</a>',
  refreshes: '<meta http-equiv=refresh content="0;url=https://a.test/">',
  charsets: '<meta charset=utf-7>',
  forms: '<form action="https://a.test/"><input type=hidden value="https://b.test/">',
  frames: '<iframe srcdoc="<a href=https://a.test/>">',
  'style attributes': '<p style="background:url(https://a.test/)">',
  'unseen text': '<span style="display:none">https://a.test/</span>',
  'paragraphs and breaks': '<p>a<br>b',
  'table cells': '<td>x</td>',
  quotes: '<a href="',
  'single quotes': "<a href='",
  'namespaces of Office': '<o:p></o:p><v:shape xmlns:v="urn:schemas-microsoft-com:vml">',
};

const html: HostileMessages = Object.fromEntries(
  Object.entries(UNITS).map(([name, unit]) => [`HTML of ${name}`, (bytes: number) => htmlText(again(unit, bytes))]),
);

/** What HTML and CSS can be made to cost. */
export const HOSTILE_HTMLS: HostileMessages = {
  ...html,
  'one tag of attributes': (bytes) =>
    htmlText(
      joined(
        '<a ',
        numbered(bytes, (index) => `a${index}=b `),
        '>',
      ),
    ),
  'one tag of the same attribute': (bytes) => htmlText(joined('<a ', again('href=https://a.test/ ', bytes), '>')),
  'one tag without end': (bytes) => htmlText(joined('<a ', again('=', bytes))),
  'one name of a tag': (bytes) => htmlText(joined('<', again('a', bytes), '>')),
  'one attribute': (bytes) => htmlText(joined('<a href="https://a.test/', again('a', bytes), '">x</a>')),
  'one attribute of character references': (bytes) => htmlText(joined('<a href="https://a.test/', again('&amp;', bytes), '">x</a>')),
  'one srcset': (bytes) => htmlText(joined('<img srcset="', again('https://a.test/a.png 1x,', bytes), '">')),
  'one srcset of commas': (bytes) => htmlText(joined('<img srcset="', again(',', bytes), '">')),
  'one srcset of white space': (bytes) => htmlText(joined('<img srcset="', again(' ', bytes), '">')),
  'one style sheet of URLs': (bytes) => htmlText(joined('<style>', again('a{b:url("https://a.test/")}', bytes), '</style>')),
  'one style sheet of open URLs': (bytes) => htmlText(joined('<style>', again('url(', bytes), '</style>')),
  'one style sheet of white space in URLs': (bytes) => htmlText(joined('<style>url(', again(' ', bytes), '</style>')),
  'one style sheet of comments': (bytes) => htmlText(joined('<style>', again('/*', bytes), '</style>')),
  'one style sheet of escapes': (bytes) => htmlText(joined('<style>', again('url(\\68\\74', bytes), '</style>')),
  'one style sheet of imports': (bytes) => htmlText(joined('<style>', again('@import "https://a.test/";', bytes), '</style>')),
  'one script of URLs': (bytes) => htmlText(joined('<script>', again('"https://a.test/"+', bytes), '</script>')),
  'one script of atob': (bytes) => htmlText(joined('<script>', again('atob("aHR0cHM6Ly9hLnRlc3Qv");', bytes), '</script>')),
  'one URL in data': (bytes) => htmlText(joined('<img src="data:image/png;base64,', again('iVBORw0K', bytes), '">')),
  'one refresh of white space': (bytes) =>
    htmlText(joined('<meta http-equiv=refresh content="0;', again(' ', bytes), 'url=https://a.test/">')),
  'ever other links': (bytes) =>
    htmlText(
      numbered(bytes, (index) => `<a href="https://h${index}.example.org/?to=https%3A%2F%2Ft${index}.test%2F">https://x${index}.test/</a>`),
    ),
  'ever other pictures in data': (bytes) =>
    htmlText(numbered(bytes, (index) => `<img src="data:image/png;base64,${Buffer.from(`iVBORw0KGgo${index}`).toString('base64')}">`)),
  'HTML of an unknown charset in quoted-printable': (bytes) =>
    single(
      'Content-Type: text/html; charset=x\r\nContent-Transfer-Encoding: quoted-printable\r\n',
      again('<a href=3D"https://a.test/=\r\nb">', bytes),
    ),
  'HTML in UTF-16': (bytes) =>
    single(
      'Content-Type: text/html; charset=utf-16le\r\nContent-Transfer-Encoding: base64\r\n',
      Buffer.from(again('<a href="https://a.test/">', Math.floor(bytes * 0.37)).toString('latin1'), 'utf16le').toString('base64'),
    ),
};
