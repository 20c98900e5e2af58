import { Type } from 'typebox';

/**
 * A file in a report, which stands there in base64. It becomes that piece by piece while the answer leaves: as one text 50 MB would be 67 MB more,
 * and hold a gateway up for a tenth of a second.
 */
export class FileBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  toString(): string {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  }

  toJSON(): string {
    return this.toString();
  }
}

/** Schema of a file in a report: the value is `FileBytes`, clients see base64. */
export const Base64File = (description: string) => Type.Unsafe<FileBytes>({ type: 'string', contentEncoding: 'base64', description });
