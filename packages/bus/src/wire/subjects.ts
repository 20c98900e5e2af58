/**
 * Subject names; `v1` is the protocol's major version. Tokens are generated or configured ids (`isId`), never a
 * client's text.
 */
const ROOT = 'vedette.v1';

export const subjects = {
  /** Jobs of one kind at one location; its agents subscribe with the location as queue group. */
  job: (kind: string, location: string) => `${ROOT}.job.${kind}.${location}`,
  /** Jobs for one agent: hedges, and locations where the agents are not alike. */
  pinnedJob: (kind: string, location: string, agent: string) => `${ROOT}.job.${kind}.${location}.${agent}`,
  cancel: (location: string) => `${ROOT}.cancel.${location}`,
  beat: (location: string, agent: string) => `${ROOT}.beat.${location}.${agent}`,
  /** Gateway → all agents: beat now. */
  roll: `${ROOT}.roll`,
  /** Gateway → all agents and gateways: what is never contacted. */
  denied: `${ROOT}.denied`,
  /** Gateway → all gateways: a key, an account, a lockout or the deny-list has changed. */
  keys: (topic: string) => `${ROOT}.keys.${topic}`,
  /** Pages to render; renderers subscribe with the queue group `renderers`. */
  render: (kind: string) => `${ROOT}.render.${kind}`,
  /** A page for one renderer, by its key and its own name. */
  pinnedRender: (kind: string, key: string, renderer: string) => `${ROOT}.render.${kind}.${key}.${renderer}`,
  /** Gateway → all renderers. */
  renderCancel: `${ROOT}.renderer.cancel`,
  rendererBeat: (key: string, renderer: string) => `${ROOT}.renderer.beat.${key}.${renderer}`,
  /** Renderer → gateway: a chunk of a job's input is wanted. */
  renderInput: (gateway: string) => `${ROOT}.renderer.input.${gateway}`,
  /** Gateway → renderer: that chunk, by the id of who waits for it. */
  renderChunk: (key: string, renderer: string, id: string) => `${ROOT}.renderer.chunk.${key}.${renderer}.${id}`,
  /** Gateway → renderer: a chunk of a result is wanted. */
  renderOutput: (key: string, renderer: string) => `${ROOT}.renderer.output.${key}.${renderer}`,
  /**
   * Where everything arrives that is for one gateway: agents' frames at `<inbox>.<job>.<location>.<attempt>`, renderers' at
   * `<inbox>.<job>.<attempt>`, chunks of results at `<inbox>.<id>`. Each has a subscription of its own.
   */
  inbox: (gateway: string) => `_INBOX.${gateway}`,
} as const;

/** Queue group of all renderers. */
export const RENDERERS = 'renderers';
