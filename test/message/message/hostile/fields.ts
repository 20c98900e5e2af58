import { again, type HostileMessages, joined, numbered, single } from './shapes.ts';

const field = (name: string, value: string | Uint8Array): Buffer => joined(`${name}: `, value, '\r\n');
const ofOne = (name: string, value: string | Uint8Array): Buffer => single(field(name, value), 'x\r\n');
/** As the first of its name, which is the one that is read. */
const first = (name: string, value: string | Uint8Array): Buffer => joined(field(name, value), '\r\nx\r\n');
const NAMES = [
  'To',
  'From',
  'Subject',
  'Date',
  'Content-Type',
  'Authentication-Results',
  'Received',
  'DKIM-Signature',
  'Message-ID',
  'List-Unsubscribe',
];

/** What stands in one field, by what is repeated. */
const REPEATED: Readonly<Record<string, readonly [name: string, unit: string]>> = {
  'a million addresses': ['To', 'a@b.c,'],
  'addresses with names': ['Cc', '"A, B" (c) <a@example.org>, '],
  'groups that are not closed': ['To', 'g:'],
  'empty groups': ['To', 'g:;'],
  'groups in groups': ['To', 'g:a@b.c,'],
  commas: ['To', ','],
  'comments that are not closed': ['To', '('],
  'comments in comments': ['To', '(a(b'],
  quotes: ['To', '"'],
  'quoted backslashes': ['To', '"\\'],
  'angle brackets': ['To', '<'],
  'angle brackets and at signs': ['To', '<a@'],
  routes: ['To', '<@a,@b:'],
  'brackets of address literals': ['To', '[:'],
  'comments in addresses': ['To', '<(a)'],
  'at signs': ['From', '@'],
  'words without an address': ['From', 'word '],
  dots: ['From', '.'],
  'white space': ['Subject', ' '],
  'folded white space': ['Subject', ' \r\n '],
  'folded words': ['Subject', 'word\r\n '],
  'encoded words beside each other': ['Subject', '=?utf-8?B?w6k=?= '],
  'encoded words that share a character': ['Subject', '=?utf-8?B?4w==?= =?utf-8?B?gYI=?= '],
  'encoded words of escapes': ['Subject', '=?iso-2022-jp?B?GyRCGyhC?= '],
  'encoded words in ever another charset': ['Subject', '=?koi8-r?Q?=C1?= =?gb18030?Q?=B0=A1?= =?utf-7?Q?+AGE-?= '],
  'encoded words of unknown charsets': ['Subject', '=?x-nobody?Q?=C1?='],
  'beginnings of encoded words': ['Subject', '=?'],
  'encoded words that do not end': ['Subject', '=?utf-8?Q?'],
  'encoded words without white space': ['From', '=?a?Q?b?=@'],
  'question marks': ['Subject', '?='],
  'raw octets': ['Subject', 'é'],
  'combining marks': ['Subject', '\u0315\u0300'],
  parameters: ['Content-Type', 'a/b;a=b;'],
  'parameters without values': ['Content-Type', ';'],
  'continuations of one parameter': ['Content-Type', 'a/b; name*0=x;'],
  'parameters in quotes that do not end': ['Content-Type', 'a/b;a="\\'],
  'percent signs in a parameter': ['Content-Type', "text/plain; name*=utf-8''%"],
  'comments in a date': ['Date', '(a) '],
  'digits in a date': ['Date', '1'],
  dates: ['Date', 'Mon, 1 Jan 2026 00:00:00 +0000 '],
  'results of authentication': ['Authentication-Results', 'mx.example.org; spf=pass (a) smtp.mailfrom=a; '],
  'comments in results': ['Authentication-Results', 'mx.example.org; dkim=pass ('],
  'reasons in results': ['Authentication-Results', 'mx.example.org; dmarc=pass reason="\\"'],
  'properties in results': ['Authentication-Results', ' a.b=c'],
  'equals signs in results': ['ARC-Authentication-Results', 'i=1; a='],
  'a result that never ends': ['Received-SPF', 'pass (a) client-ip='],
  hops: ['Received', 'from a (b [192.0.2.1]) by c with d id e for <f>; '],
  'brackets of hops': ['Received', 'from a ([(['],
  'words of hops': ['Received', 'from by with id for via '],
  'tags of signatures': ['DKIM-Signature', 'v=1; a=b; '],
  'white space in a signature': ['DKIM-Signature', 'v=1; b= \r\n '],
  'addresses to unsubscribe': ['List-Unsubscribe', '<https://a.test/>, '],
  'brackets to unsubscribe': ['List-Unsubscribe', '<'],
  'hyphens in a Message-ID': ['Message-ID', '<-'],
  references: ['References', '<a@b.c> '],
  'spam reports': ['X-Forefront-Antispam-Report', 'SFV:SPM;CAT:PHSH;'],
  'spam scores': ['X-Spam-Status', 'Yes, score=5.0 tests=A,B '],
  'types of one word': ['Content-Type', 'text/'],
};

/** A field that is read, and what takes the reader of such fields long. */
const repeated: HostileMessages = Object.fromEntries(
  Object.entries(REPEATED).map(([name, [key, unit]]) => [`${name}, in ${key}`, (bytes: number) => first(key, again(unit, bytes))]),
);

/** What the header fields can be made to cost. */
export const HOSTILE_FIELDS: HostileMessages = {
  ...repeated,
  'encoded words of ever other charsets': (bytes) =>
    first(
      'From',
      numbered(bytes, (index) => `=?a${index}?Q?b?=@`),
    ),
  'a million fields': (bytes) => joined(again('A: b\r\n', bytes), '\r\nx'),
  'fields without a name': (bytes) => joined(again(':\r\n', bytes), '\r\nx'),
  'lines that are no fields': (bytes) => joined('A: b\r\n', again('x\r\n', bytes)),
  'fields of ever other names': (bytes) =>
    joined(
      numbered(bytes, (index) => `X-${index}: y\r\n`),
      '\r\nx',
    ),
  'one field that never ends': (bytes) => joined('X-A: ', again('x', bytes)),
  'a name that never ends': (bytes) => again('x', bytes),
  'bare carriage returns between fields': (bytes) => joined(again('A: b\r', bytes), '\r\rx'),
  'every field many times': (bytes) =>
    joined(
      numbered(bytes, (index) => `${NAMES[index % NAMES.length]}: a <a${index}@b.test>; b="c"\r\n`),
      '\r\nx',
    ),
  'Received a hundred thousand times': (bytes) =>
    joined(
      numbered(bytes, (index) => `Received: from h${index}.test (h [198.51.100.${index % 256}]) by mx; Mon, 2 Nov 2026 10:00:00 +0100\r\n`),
      '\r\nx',
    ),
  'signatures of ever other domains': (bytes) =>
    joined(
      numbered(bytes, (index) => `DKIM-Signature: v=1; a=rsa-sha256; d=d${index}.test; s=s; bh=eA==; b=eA==\r\n`),
      '\r\nx',
    ),
  'results of ever other servers': (bytes) =>
    joined(
      numbered(
        bytes,
        (index) => `Authentication-Results: mx${index}.test; spf=pass smtp.mailfrom=a.test; dkim=fail (x) header.d=b.test\r\n`,
      ),
      '\r\nx',
    ),
  'a parameter in two hundred thousand pieces': (bytes) =>
    first(
      'Content-Type',
      joined(
        'application/octet-stream',
        numbered(bytes, (index) => `; name*${index}*=%41`),
      ),
    ),
  'a parameter in pieces, the last first': (bytes) =>
    first(
      'Content-Type',
      joined(
        'application/octet-stream',
        numbered(bytes, (index) => `; name*${10_000_000 - index}=A`),
      ),
    ),
  'a piece with a number beyond all': (bytes) =>
    ofOne('Content-Type', joined('a/b; name*4294967294=x; name*999999999999999999999=', again('y', bytes))),
  'a file name of almost everything': (bytes) =>
    ofOne('Content-Disposition', joined('attachment; filename="', again('../con\u202E', bytes), '.exe"')),
  'a domain of almost everything': (bytes) => ofOne('Reply-To', joined('<a@', again('a.', bytes), 'test>')),
  'a domain beyond ASCII of almost everything': (bytes) => ofOne('Reply-To', joined('<a@', again('é', bytes), '.test>')),
};
