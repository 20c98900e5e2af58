import { again, type HostileMessages, joined, numbered, plainText, single } from './shapes.ts';

/** What a text is made of, again and again without a line end, or with one where the unit has it. */
const UNITS: Readonly<Record<string, string>> = {
  'one letter': 'a',
  'one space': ' ',
  'line ends': '\n',
  slashes: '//',
  'local parts': 'a@',
  labels: 'a.',
  'at signs': '@',
  dots: '.',
  digits: '7',
  'digits and hyphens': '1-',
  'digits and dots': '1.1.',
  'digits and commas': '1,',
  'digits and brackets': '(1)',
  'digits and spaces': '1 2 ',
  'plus signs': '+1',
  'phone numbers': '+1 202 555 0143 ',
  'phone numbers without end': '+49 30 ',
  schemes: 'http://',
  'defanged schemes': 'hxxp[://]',
  'defanged dots': 'a[.]b(dot)',
  'defanged at signs': 'a[at]b{@}',
  'opening brackets': '[',
  'nested brackets': '([{<',
  'closing brackets of a URL': 'https://a.test/)))',
  'quotes around URLs': '"https://a.test/"',
  'short URLs': 'https://a.test/ ',
  'www names': 'www.a.test ',
  'hosts that are addresses': 'http://0x7f.1/ ',
  'hosts of percent signs': 'http://%61%2e%',
  'hosts of percent signs and a test': 'http://%61.test/ ',
  ports: 'http://a.test:1:1:',
  credentials: 'http://a:b@',
  'IPv6 hosts': 'http://[::1',
  punycode: 'http://xn--xn--a.test/ ',
  'e-mail addresses': 'a.b-c+d@example.org ',
  'e-mail addresses in a row': 'a@b.c@d.e,',
  'addresses of domains without end': 'a@b.c.d.e.f.g.',
  mailto: 'mailto:a@b.test?cc=',
  base58: '1BoatSLRHtKNngkdXEeobR76b53LETtpy',
  'base58 with spaces': '1BoatSLRHtKNngkdXEeobR76b53LETtpyT ',
  bech32: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq ',
  'bech32 without end': 'bc1q',
  currencies: '$1,000,000 ',
  'currency signs': '$€£',
  'currency words': '10000 USD EUR 10.000,00 ',
  'digits of a currency': '$9',
  'urgent words': 'URGENT!!! act immediately account suspended ',
  unsubscribe: 'unsubscribe ',
  'combining marks': 'a\u0315\u0300\u05AE\u0300',
  'combining marks without a letter': '\u0315\u0300',
  'letters of other scripts': 'раураӏ.соm ',
  surrogates: '😀',
  'zero-width characters': 'a\u200B.\u200Dc\u2060',
  'right-to-left overrides': '\u202Eexe.',
  'ideographic dots': 'a。b．',
  'commas and backslashes': '\\,\\;',
};

const text: HostileMessages = Object.fromEntries(
  Object.entries(UNITS).map(([name, unit]) => [`text of ${name}`, (bytes: number) => plainText(again(unit, bytes))]),
);

const encoded = (encoding: string, body: Uint8Array, charset = 'utf-8'): Buffer =>
  single(`Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n`, body);

/** A URL in a URL, each encoded once more than the one around it, until that many bytes are full. */
const redirecting = (bytes: number): string => {
  let url = 'https://end.test/';
  for (let depth = 0; url.length < Math.min(bytes, 1_000_000); depth++) url = `https://go${depth}.test/?url=${encodeURIComponent(url)}`;
  return `${url} `;
};

/** What text and its encodings can be made to cost. */
export const HOSTILE_TEXTS: HostileMessages = {
  ...text,
  'one URL of everything': (bytes) => plainText(joined('https://a.test/', again('a', bytes))),
  'one host of everything': (bytes) => plainText(joined('https://', again('a', bytes), '.test/')),
  'one host of labels': (bytes) => plainText(joined('https://', again('a.', bytes), 'test/')),
  'one host beyond ASCII': (bytes) => plainText(joined('https://', again('é', bytes), '.test/')),
  'one host of ever other letters beyond ASCII': (bytes) =>
    plainText(
      joined(
        'https://',
        numbered(bytes, (index) => String.fromCodePoint(0x4e00 + (index % 20_000))),
        '.test/',
      ),
    ),
  'one path beyond ASCII': (bytes) => plainText(joined('https://a.test/', again('é', bytes))),
  'one query of parameters': (bytes) => plainText(joined('https://a.test/?', again('a=http://b.test/&', bytes))),
  'one query of percent signs': (bytes) => plainText(joined('https://a.test/?u=https%3A%2F%2Fb.test%2F', again('%25', bytes))),
  'URLs in URLs in URLs': (bytes) => plainText(again(redirecting(bytes), bytes)),
  'URLs in URLs, not encoded': (bytes) => plainText(again('https://a.test/?url=', bytes)),
  'wrapped links': (bytes) =>
    plainText(
      numbered(
        bytes,
        (index) =>
          `https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fw${index}.test%2F&data=05 https://urldefense.com/v3/__https://v${index}.test/__;!!a \n`,
      ),
    ),
  'ever other URLs': (bytes) => plainText(numbered(bytes, (index) => `https://h${index}.example.org/p${index}.exe?q=${index}\n`)),
  'ever other URLs of hosts beyond ASCII': (bytes) => plainText(numbered(bytes, (index) => `https://müller${index}.example/\n`)),
  'ever other addresses': (bytes) => plainText(numbered(bytes, (index) => `u${index}@h${index}.example.org\n`)),
  'ever other phone numbers': (bytes) => plainText(numbered(bytes, (index) => `+1 202 ${5_550_000 + (index % 9000)}\n`)),
  'ever other phone numbers without a country': (bytes) =>
    plainText(numbered(bytes, (index) => `Call (0${30 + (index % 60)}) ${1_000_000 + index} now\n`)),
  'a local part of everything': (bytes) => plainText(joined(again('a', bytes), '@example.org')),
  'quoted-printable equals signs': (bytes) => encoded('quoted-printable', again('=', bytes)),
  'quoted-printable equals signs and hyphens': (bytes) => encoded('quoted-printable', again('=-', bytes)),
  'quoted-printable octets': (bytes) => encoded('quoted-printable', again('=C3=A9', bytes)),
  'quoted-printable soft breaks': (bytes) => encoded('quoted-printable', again('a=\r\n', bytes)),
  'quoted-printable white space before no line end': (bytes) => encoded('quoted-printable', joined(again(' \t', bytes), 'x')),
  'quoted-printable white space before line ends': (bytes) => encoded('quoted-printable', again(' \t \r\n', bytes)),
  'quoted-printable equals signs and white space': (bytes) => encoded('quoted-printable', again('= ', bytes)),
  'base64 garbage': (bytes) => encoded('base64', again('!*=', bytes)),
  'base64 in lines of one character': (bytes) => encoded('base64', again('Q\r\n', bytes)),
  'base64 that ends after each group': (bytes) => encoded('base64', again('QQ==', bytes)),
  'base64 without any line end': (bytes) => encoded('base64', again('QUJD', bytes)),
  'beginnings of uuencode': (bytes) => plainText(again('begin 644 a.exe\n', bytes)),
  'uuencode that does not end': (bytes) => plainText(joined('begin 644 a.exe\n', again('#86)C\n', bytes))),
  'one line of uuencode': (bytes) => plainText(joined('begin 644 a.exe\n', again('M', bytes))),
  'the encoding uuencode': (bytes) => encoded('x-uuencode', joined('begin 644 a\n', again('M', bytes))),
  'shifts of UTF-7': (bytes) => encoded('7bit', again('+AGE-+', bytes), 'utf-7'),
  'one shift of UTF-7': (bytes) => encoded('7bit', joined('+', again('AGEA', bytes)), 'utf-7'),
  'escapes of ISO-2022-JP': (bytes) => encoded('7bit', again('\u001B$B!!\u001B(B', bytes), 'iso-2022-jp'),
  'shifts of HZ': (bytes) => encoded('7bit', again('~{', bytes), 'hz-gb-2312'),
  'shifts of ISO-2022-KR': (bytes) => encoded('7bit', again('\u000E', bytes), 'iso-2022-kr'),
  'broken GB18030': (bytes) => encoded('8bit', Buffer.alloc(bytes, Buffer.from([0x81, 0x30, 0x81])), 'gb18030'),
  'UTF-16 without a mark': (bytes) => encoded('8bit', again('é', bytes), 'utf-16'),
  'a charset that nobody knows': (bytes) => encoded('8bit', again('é', bytes), 'x-nobody'),
  'no charset, and one octet that is not UTF-8 at the end': (bytes) =>
    single('Content-Type: text/plain\r\n', Buffer.concat([again('é', bytes), Buffer.from([0xff])])),
  'flowed quotations': (bytes) => single('Content-Type: text/plain; format=flowed; delsp=yes\r\n', again('> > > x \r\n', bytes)),
  'flowed quotation marks on one line': (bytes) => single('Content-Type: text/plain; format=flowed\r\n', again('> ', bytes)),
  'flowed lines without end': (bytes) => single('Content-Type: text/plain; format=flowed\r\n', again('x \r\n', bytes)),
  'lines of a calendar': (bytes) =>
    single('Content-Type: text/calendar; method=REQUEST\r\n', joined('BEGIN:VCALENDAR\r\n', again('URL:https://a.test/\r\n', bytes))),
  'folded lines of a calendar': (bytes) =>
    single('Content-Type: text/calendar\r\n', joined('BEGIN:VCALENDAR\r\nURL:https://a.test/', again('a\r\n ', bytes))),
  'calendars in calendars': (bytes) => single('Content-Type: text/calendar\r\n', again('BEGIN:VCALENDAR\r\n', bytes)),
};
