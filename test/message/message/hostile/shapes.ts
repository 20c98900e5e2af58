/** Makes a message of about that many bytes, so that one can see what twice as many cost. */
export type HostileMessage = (bytes: number) => Buffer;
export type HostileMessages = Readonly<Record<string, HostileMessage>>;

/** `unit` again and again, that many bytes of it; the last one may be cut. */
export const again = (unit: string, bytes: number): Buffer => Buffer.alloc(bytes, unit);

/** As many units as make up that many bytes, each made of its number, so that no two need be alike. */
export const numbered = (bytes: number, unit: (index: number) => string): Buffer => {
  const units: string[] = [];
  for (let index = 0, made = 0; made < bytes; index++) {
    const next = unit(index);
    units.push(next);
    made += Buffer.byteLength(next);
  }
  return Buffer.from(units.join(''));
};

export const joined = (...parts: (string | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));

const SENDER =
  'From: Mallory <mallory@hostile.test>\r\nTo: alice@example.org\r\nSubject: Hostile\r\nDate: Mon, 2 Nov 2026 10:00:00 +0100\r\n';

/** A message of one part, whose fields beside the usual ones are `fields`, each with its line end. */
export const single = (fields: string | Uint8Array, body: string | Uint8Array): Buffer =>
  joined(SENDER, 'MIME-Version: 1.0\r\n', fields, '\r\n', body);

export const plainText = (body: string | Uint8Array): Buffer => single('Content-Type: text/plain; charset=utf-8\r\n', body);

export const htmlText = (body: string | Uint8Array): Buffer => single('Content-Type: text/html; charset=utf-8\r\n', body);

/** A message with one attachment, in base64 in lines of 76 characters. */
export const attached = (name: string, type: string, content: Uint8Array): Buffer =>
  joined(
    SENDER,
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=edge\r\n\r\n--edge\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n',
    `--edge\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n`,
    Buffer.from(content).toString('base64').replace(/.{76}/gu, '$&\r\n'),
    '\r\n--edge--\r\n',
  );

/** How many bytes of an attachment make a message of that many. */
export const attachmentBytes = (bytes: number): number => Math.max(1, Math.floor(((bytes - 1000) * 57) / 78));
