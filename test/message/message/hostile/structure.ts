import { again, type HostileMessages, joined, numbered, single } from './shapes.ts';

const mixed = (boundary: string): string => `Content-Type: multipart/mixed; boundary="${boundary}"\r\n`;
const NESTED_MESSAGE = 'Content-Type: message/rfc822\r\n\r\n';

/** Multiparts in multiparts, none of them closed, until that many bytes are full. */
const nested = (bytes: number, boundaryOf: (depth: number) => string): Buffer =>
  single(
    mixed(boundaryOf(0)),
    numbered(bytes, (depth) => `--${boundaryOf(depth)}\r\n${mixed(boundaryOf(depth + 1))}\r\n`),
  );

/** Fifty multiparts in each other, and then lines. */
const deepThen = (boundaryOf: (depth: number) => string, lines: Uint8Array): Buffer => {
  const openings = Array.from({ length: 49 }, (_, depth) => `--${boundaryOf(depth)}\r\n${mixed(boundaryOf(depth + 1))}\r\n`);
  return single(mixed(boundaryOf(0)), joined(openings.join(''), `--${boundaryOf(49)}\r\n\r\n`, lines));
};

/** What multiparts, boundaries and messages in messages can be made to cost. */
export const HOSTILE_STRUCTURES: HostileMessages = {
  'messages in messages': (bytes) => single(NESTED_MESSAGE.slice(0, -2), again(NESTED_MESSAGE, bytes)),
  'messages in messages, from the first line': (bytes) => again(NESTED_MESSAGE, bytes),
  'messages in multiparts in messages': (bytes) =>
    single(
      NESTED_MESSAGE.slice(0, -2),
      numbered(bytes, (depth) => `${mixed(`b${depth}`)}\r\n--b${depth}\r\n${NESTED_MESSAGE}`),
    ),
  'messages in base64 in messages': (bytes) => {
    let message = single('Content-Type: text/plain\r\n', again('x', Math.floor(bytes / 20)));
    while (message.length < bytes * 0.7)
      message = single('Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n', message.toString('base64'));
    return message;
  },
  'ten thousand messages beside each other': (bytes) =>
    single('Content-Type: multipart/digest; boundary=b\r\n', again('--b\r\n\r\nSubject: x\r\n\r\nx\r\n', bytes)),
  'what S/MIME signs, in pieces of one byte': (bytes) =>
    single(
      'Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: binary\r\n',
      // ContentInfo, SignedData, encapContentInfo, none of which says how long it is (RFC 5652).
      joined(Buffer.from('308006092a864886f70d010702a0803080020101310030800600a0802480', 'hex'), again('\u0004\u0001a', bytes)),
    ),
  'lines of two hyphens': (bytes) => single(mixed('b'), again('--\r\n', bytes)),
  'lines of two hyphens and an empty boundary': (bytes) => single(mixed(''), again('--\r\n', bytes)),
  'lines of two hyphens in plain text': (bytes) => single('Content-Type: text/plain\r\n', again('--\r\n', bytes)),
  'empty parts': (bytes) => single(mixed('b'), again('--b\r\n\r\n', bytes)),
  'empty parts, and no line end before the next': (bytes) => single(mixed('b'), again('--b\r\n', bytes)),
  'parts with attachments of one byte': (bytes) =>
    single(
      mixed('b'),
      again('--b\r\nContent-Disposition: attachment; filename=a.exe\r\nContent-Transfer-Encoding: base64\r\n\r\nQQ==\r\n', bytes),
    ),
  'HTML parts beside each other': (bytes) =>
    single(
      'Content-Type: multipart/alternative; boundary=b\r\n',
      again('--b\r\nContent-Type: text/html\r\n\r\n<a href=//a.test>a</a>\r\n', bytes),
    ),
  'closed again and again': (bytes) => single(mixed('b'), again('--b--\r\n', bytes)),
  'ten thousand nested multiparts': (bytes) => nested(bytes, (depth) => `b${depth}`),
  'nested multiparts of one boundary': (bytes) => nested(bytes, () => 'b'),
  'nested multiparts, each boundary the beginning of the next': (bytes) => nested(bytes, (depth) => 'b'.repeat(Math.min(1 + depth, 900))),
  'fifty deep, and lines that begin as all boundaries do': (bytes) =>
    deepThen((depth) => `${'b'.repeat(60)}${depth}`, again(`--${'b'.repeat(60)}\r\n`, bytes)),
  'fifty deep, and short lines with hyphens': (bytes) => deepThen((depth) => `b${depth}`, again('--x\r\n', bytes)),
  'fifty deep, and the outermost boundary': (bytes) => deepThen((depth) => `b${depth}`, again('--b0\r\n\r\n', bytes)),
  'a boundary of two fifths': (bytes) => {
    const boundary = 'b'.repeat(Math.floor(bytes / 2.5));
    return single(mixed(boundary), `--${boundary}\r\n\r\nx\r\n--${boundary}--\r\n`);
  },
  'a boundary of 500 characters, and lines that all but are it': (bytes) =>
    single(mixed('b'.repeat(500)), again(`--${'b'.repeat(499)}\r\n`, bytes)),
  'a boundary, and one line of hyphens': (bytes) => single(mixed('-'), again('-', bytes)),
  'a boundary followed by white space': (bytes) => single(mixed('b'), joined('--b', again(' \t', bytes), 'x\r\n')),
  'bare carriage returns': (bytes) => single(mixed('b'), again('\r', bytes)),
  'bare line feeds': (bytes) => single(mixed('b'), again('\n', bytes)),
  'nothing but NUL': (bytes) => again('\0', bytes),
  'nothing but line ends': (bytes) => again('\r\n', bytes),
  'pictures that refer to each other': (bytes) =>
    single(
      'Content-Type: multipart/related; boundary=b\r\n',
      numbered(
        bytes,
        (index) =>
          `--b\r\nContent-Type: text/html\r\nContent-ID: <c${index}>\r\n\r\n<img src="cid:c${index + 1}"><img src="cid:c${index >> 1}"><img src=cid:c0>\r\n`,
      ),
    ),
  'one HTML that refers to ten thousand pictures': (bytes) =>
    single(
      'Content-Type: multipart/related; boundary=b\r\n',
      joined(
        '--b\r\nContent-Type: text/html\r\n\r\n',
        numbered(bytes / 2, (index) => `<img src="cid:c${index}">\r\n`),
        numbered(
          bytes / 2,
          (index) => `--b\r\nContent-Type: image/png\r\nContent-ID: <c${index}>\r\nContent-Location: c${index}\r\n\r\nx\r\n`,
        ),
      ),
    ),
};
