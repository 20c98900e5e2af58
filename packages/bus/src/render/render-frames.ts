import {
  InputRequestFrame,
  OutputRequestFrame,
  RenderAckFrame,
  RenderCancelFrame,
  RendererBeatFrame,
  RenderFinalFrame,
  RenderJobFrame,
  RenderNackFrame,
  type RenderReplyFrame,
} from '../frames/index.ts';
import { Compile } from 'typebox/schema';
import { reader, write } from '../wire/frames.ts';

const job = Compile(RenderJobFrame);
const cancel = Compile(RenderCancelFrame);
const beat = Compile(RendererBeatFrame);
const input = Compile(InputRequestFrame);
const output = Compile(OutputRequestFrame);
const ack = Compile(RenderAckFrame);
const final = Compile(RenderFinalFrame);
const nack = Compile(RenderNackFrame);

function isReply(value: unknown): value is RenderReplyFrame {
  switch ((value as { type?: unknown } | null | undefined)?.type) {
    case 'ack':
      return ack.Check(value);
    case 'final':
      // One of a result here, a result that is to be fetched, and a failure.
      return final.Check(value) && [value.result, value.payloads?.result, value.failure].filter((one) => one !== undefined).length === 1;
    case 'nack':
      return nack.Check(value);
    default:
      return false;
  }
}

// As those of agents: undefined means that the frame is refused, and writers throw `FrameError`.
export const readRenderJob = reader((value): value is RenderJobFrame => job.Check(value));
export const readRenderCancel = reader((value): value is RenderCancelFrame => cancel.Check(value));
export const readRendererBeat = reader((value): value is RendererBeatFrame => beat.Check(value));
export const readInputRequest = reader((value): value is InputRequestFrame => input.Check(value));
export const readOutputRequest = reader((value): value is OutputRequestFrame => output.Check(value));
export const readRenderReply = reader(isReply);

export const writeRenderJob = (frame: RenderJobFrame) => write(job.Check(frame), frame);
export const writeRenderCancel = (frame: RenderCancelFrame) => write(cancel.Check(frame), frame);
export const writeRendererBeat = (frame: RendererBeatFrame) => write(beat.Check(frame), frame);
export const writeInputRequest = (frame: InputRequestFrame) => write(input.Check(frame), frame);
export const writeOutputRequest = (frame: OutputRequestFrame) => write(output.Check(frame), frame);
export const writeRenderReply = (frame: RenderReplyFrame) => write(isReply(frame), frame);
