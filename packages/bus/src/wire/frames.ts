import { AckFrame, BeatFrame, CancelFrame, DeniedFrame, FinalFrame, JobFrame, MAX_FRAME_BYTES, NackFrame } from '../frames/index.ts';
import type { Static, TSchema } from 'typebox';
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

/** Throws `FrameError`. */
function check(valid: boolean, text: string): void {
  if (!valid) throw new FrameError(`not a valid frame: ${text.slice(0, 200)}`);
  // A character is at most 3 bytes of UTF-8: only a long text needs counting.
  if (text.length * 3 > MAX_FRAME_BYTES && Buffer.byteLength(text) > MAX_FRAME_BYTES) throw new FrameError('larger than a frame may be');
}

/** The reader and the writer of one type of frame, which use the same schema. */
interface Codec<F> {
  /** Returns undefined for an invalid frame. Unknown fields are left alone. */
  read(data: Uint8Array): F | undefined;
  /** Returns the JSON text of a frame. Throws `FrameError`. */
  write(frame: F): string;
}

function codecOf<F>(is: (value: unknown) => value is F): Codec<F> {
  return {
    read(data) {
      const value = parse(data);
      return is(value) ? value : undefined;
    },
    write(frame) {
      const text = JSON.stringify(frame);
      check(is(frame), text);
      return text;
    },
  };
}

export function codec<S extends TSchema>(schema: S): Codec<Static<S>> {
  const validator = Compile(schema);
  return codecOf((value): value is Static<S> => validator.Check(value));
}

/** The codec of the frames back to a gateway, which `type` distinguishes. `isAnswer`: whether a final has a result or a failure. */
export function replyCodec<A extends TSchema, F extends TSchema, N extends TSchema>(
  frames: { ack: A; final: F; nack: N },
  isAnswer: (final: Static<F>) => boolean,
): Codec<Static<A> | Static<F> | Static<N>> {
  const [ack, final, nack] = [Compile(frames.ack), Compile(frames.final), Compile(frames.nack)];
  return codecOf((value): value is Static<A> | Static<F> | Static<N> => {
    switch ((value as { type?: unknown } | null | undefined)?.type) {
      case 'ack':
        return ack.Check(value);
      case 'final':
        return final.Check(value) && isAnswer(value);
      case 'nack':
        return nack.Check(value);
      default:
        return false;
    }
  });
}

export const { read: readCancel, write: writeCancel } = codec(CancelFrame);
export const { read: readDenied, write: writeDenied } = codec(DeniedFrame);
export const { read: readBeat, write: writeBeat } = codec(BeatFrame);
export const { read: readReply, write: writeReply } = replyCodec(
  { ack: AckFrame, final: FinalFrame, nack: NackFrame },
  ({ result, failure }) => result !== undefined || failure !== undefined,
);

const job = Compile(JobFrame);
export const { read: readJob } = codecOf((value): value is JobFrame => job.Check(value));
/** Checks a job, whose text is written in parts. Throws `FrameError`. */
export const checkJob = (frame: JobFrame, text: string): void => check(job.Check(frame), text);
