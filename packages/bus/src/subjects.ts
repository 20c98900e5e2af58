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
  /** Where every reply to one gateway arrives: `<inbox>.<job>.<location>.<attempt>`. */
  inbox: (gateway: string) => `_INBOX.${gateway}`,
} as const;
