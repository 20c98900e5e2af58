import { MessageFacts, PictureFacts } from '../report/index.ts';
import { Compile } from 'typebox/schema';

/** The kinds of files that parsers read, and the first octet of a frame that asks for each. */
export const JOBS = {
  message: { tag: 1, isReading: Compile(MessageFacts) },
  picture: { tag: 2, isReading: Compile(PictureFacts) },
} as const;

export type JobKind = keyof typeof JOBS;

/** The reading of each. */
export interface Readings {
  message: MessageFacts;
  picture: PictureFacts;
}

/** A frame that asks for a reading. */
export const asked = (kind: JobKind, bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from([JOBS[kind].tag]), bytes]);
