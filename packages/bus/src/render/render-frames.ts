import {
  InputRequestFrame,
  OutputRequestFrame,
  RenderAckFrame,
  RenderCancelFrame,
  RendererBeatFrame,
  RenderFinalFrame,
  RenderJobFrame,
  RenderNackFrame,
} from '../frames/index.ts';
import { codec, replyCodec } from '../wire/frames.ts';

export const { read: readRenderJob, write: writeRenderJob } = codec(RenderJobFrame);
export const { read: readRenderCancel, write: writeRenderCancel } = codec(RenderCancelFrame);
export const { read: readRendererBeat, write: writeRendererBeat } = codec(RendererBeatFrame);
export const { read: readInputRequest, write: writeInputRequest } = codec(InputRequestFrame);
export const { read: readOutputRequest, write: writeOutputRequest } = codec(OutputRequestFrame);
export const { read: readRenderReply, write: writeRenderReply } = replyCodec(
  { ack: RenderAckFrame, final: RenderFinalFrame, nack: RenderNackFrame },
  // One of a result here, a result that is to be fetched, and a failure.
  ({ result, payloads, failure }) => [result, payloads?.result, failure].filter((one) => one !== undefined).length === 1,
);
