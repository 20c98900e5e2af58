import {
  AckFrame,
  BeatFrame,
  CancelFrame,
  DeniedFrame,
  FinalFrame,
  JobFrame,
  MAX_FRAME_BYTES,
  NackFrame,
  type ReplyFrame,
} from '../frames/index.ts';
import { Compile } from 'typebox/schema';

/** A frame of ours broke its own schema, or is larger than a frame may be. */
export class FrameError extends Error {
  override name = 'FrameError';
}

const decoder = new TextDecoder();

/** The JSON value of a message, or undefined when it is empty, too large or not JSON. */
function parse(data: Uint8Array): unknown {
  if (data.length === 0 || data.length > MAX_FRAME_BYTES) return undefined;
  try {
    return JSON.parse(decoder.decode(data));
  } catch {
    return undefined;
  }
}

const job = Compile(JobFrame);
const cancel = Compile(CancelFrame);
const denied = Compile(DeniedFrame);
const beat = Compile(BeatFrame);
const ack = Compile(AckFrame);
const final = Compile(FinalFrame);
const nack = Compile(NackFrame);

function isReply(value: unknown): value is ReplyFrame {
  switch ((value as { type?: unknown } | null | undefined)?.type) {
    case 'ack':
      return ack.Check(value);
    case 'final':
      // Neither a result nor a failure would be an answer that says nothing.
      return final.Check(value) && (value.result !== undefined || value.failure !== undefined);
    case 'nack':
      return nack.Check(value);
    default:
      return false;
  }
}

/** Reads messages as what `check` says they are; undefined for others. */
export const reader =
  <T>(check: (value: unknown) => value is T) =>
  (data: Uint8Array): T | undefined => {
    const value = parse(data);
    return check(value) ? value : undefined;
  };

// Readers: undefined means that the frame is refused. Fields they do not know are left alone.
export const readJob = reader((value): value is JobFrame => job.Check(value));
export const readCancel = reader((value): value is CancelFrame => cancel.Check(value));
export const readDenied = reader((value): value is DeniedFrame => denied.Check(value));
export const readBeat = reader((value): value is BeatFrame => beat.Check(value));
export const readReply = reader(isReply);

/** Throws `FrameError`. */
function check(valid: boolean, text: string): void {
  if (!valid) throw new FrameError(`not a valid frame: ${text.slice(0, 200)}`);
  // A character is at most 3 bytes of UTF-8: only a long text needs counting.
  if (text.length * 3 > MAX_FRAME_BYTES && Buffer.byteLength(text) > MAX_FRAME_BYTES) throw new FrameError('larger than a frame may be');
}

/** The JSON text of a frame. Throws `FrameError`. */
export function write(valid: boolean, frame: unknown): string {
  const text = JSON.stringify(frame);
  check(valid, text);
  return text;
}

// Writers check by the same schemas.
export const writeCancel = (frame: CancelFrame) => write(cancel.Check(frame), frame);
export const writeDenied = (frame: DeniedFrame) => write(denied.Check(frame), frame);
export const writeBeat = (frame: BeatFrame) => write(beat.Check(frame), frame);
export const writeReply = (frame: ReplyFrame) => write(isReply(frame), frame);
/** Checks a job, whose text is written in parts. Throws `FrameError`. */
export const checkJob = (frame: JobFrame, text: string): void => check(job.Check(frame), text);
