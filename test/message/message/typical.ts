import { deflateRawSync } from 'node:zlib';
import { joined, numbered } from './hostile/shapes.ts';
import { zip } from './hostile/zips.ts';

/** Octets that no packer makes smaller, the same ones in each run: a linear congruential generator (Knuth's MMIX). */
const noise = (bytes: number, seed: bigint): Buffer => {
  const words = new BigUint64Array(Math.ceil(bytes / 8));
  let state = seed;
  for (let at = 0; at < words.length; at++) {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    words[at] = state ^ (state >> 33n);
  }
  return Buffer.from(words.buffer, 0, bytes);
};

const quotedPrintable = (text: Buffer): string =>
  text
    .toString('latin1')
    .replaceAll('=', '=3D')
    .replace(/[\u0080-\u00ff]/gu, (octet) => `=${octet.codePointAt(0)!.toString(16).toUpperCase()}`)
    .split('\n')
    .map((line) => line.replace(/.{68,70}(?<!=.?)(?=.{5})/gu, '$&=\r\n'))
    .join('\r\n');

const base64 = (content: Uint8Array): string => Buffer.from(content).toString('base64').replace(/.{76}/gu, '$&\r\n');

const PROSE =
  'It was packed with care on Monday, weighs 2.5 kg, costs 19.90 EUR, and arrives within three days, unless the weather is bad. '.repeat(4);

const document = (bytes: number): Buffer => {
  const xml = joined('<w:document>', noise(Math.max(100, bytes), 7n).toString('hex'), '</w:document>');
  const data = deflateRawSync(xml);
  return zip([
    { name: '[Content_Types].xml', data: Buffer.from('<Types/>') },
    { name: 'word/document.xml', data, method: 8, size: xml.length },
  ]);
};

/**
 * What a company sends: a twentieth of it text and HTML with links, the rest a PDF, a document of Word and a file of measurements, as Outlook and a receiving
 * Postfix write it.
 */
export const typicalMessage = (bytes: number): Buffer => {
  const text = numbered(
    bytes * 0.02,
    (index) =>
      `Dear Ms Müller, item ${index} of your order is on its way: https://shop.example/orders/${index}?ref=mail\n${PROSE}\nYours, Erika Muster, +49 30 901820, sales@shop.example\n\n`,
  );
  const html = joined(
    '<html><head><title>Your order</title><style>p{margin:0;background:url(https://img.example/b.png)}</style></head><body>',
    numbered(
      bytes * 0.04,
      (index) =>
        `<p class="row">Item ${index} of your order &ndash; <a href="https://shop.example/orders/${index}?ref=mail&amp;u=1" style="color:#235">show it</a> <img src="https://img.example/${index % 20}.png" alt=""></p>\n<p>${PROSE}</p>\n`,
    ),
    '</body></html>',
  );
  const each = Math.floor((bytes * 0.96) / 3 / 1.37);
  const files: readonly [string, string, Uint8Array][] = [
    [
      'invoice.pdf',
      'application/pdf',
      joined('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n', noise(each, 1n), '\ntrailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n'),
    ],
    ['terms.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', document(each * 0.85)],
    ['measurements.dat', 'application/octet-stream', noise(each, 3n)],
  ];
  return joined(
    'Return-Path: <sales@shop.example>\r\nDelivered-To: mueller@example.org\r\n',
    'Received: from out.shop.example (out.shop.example [198.51.100.7])\r\n\tby mx.example.org (Postfix) with ESMTPS id 4A1B2C\r\n\tfor <mueller@example.org>; Fri, 20 Nov 2026 10:00:01 +0100 (CET)\r\n',
    'Authentication-Results: mx.example.org;\r\n\tspf=pass smtp.mailfrom=sales@shop.example;\r\n\tdkim=pass (2048-bit key) header.d=shop.example header.s=s1;\r\n\tdmarc=pass (p=reject sp=reject dis=none) header.from=shop.example\r\n',
    'From: "Erika Muster" <sales@shop.example>\r\nTo: =?utf-8?Q?Frau_M=C3=BCller?= <mueller@example.org>\r\nSubject: =?utf-8?Q?Ihre_Bestellung_f=C3=BCr_November?=\r\n',
    'Date: Fri, 20 Nov 2026 10:00:00 +0100\r\nMessage-ID: <1@shop.example>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="mixed"\r\n\r\n',
    '--mixed\r\nContent-Type: multipart/alternative; boundary="alternative"\r\n\r\n',
    `--alternative\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(text)}\r\n`,
    `--alternative\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(html)}\r\n--alternative--\r\n`,
    ...files.map(
      ([name, type, content]) =>
        `--mixed\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(content)}\r\n`,
    ),
    '--mixed--\r\n',
  );
};
