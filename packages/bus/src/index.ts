export type { AgentView } from './presence/agent.ts';
export { PRESENCE_STATES, type PresenceState } from './presence/peer.ts';
export { createAsker, type Asker, type AskerOptions } from './ask/asker.ts';
export {
  isNoResponders,
  openBus,
  type Bus,
  type BusMessage,
  type BusOptions,
  type BusSubscription,
  type BusWarning,
} from './wire/connection.ts';
export { createNkey, locationsOf, publicKeyOf, readCredentials } from './wire/credentials.ts';
export { announceDenied, followDenied, type Announcer, type Denied } from './setup/denied.ts';
export type { BusEvents, HedgeReason } from './wire/events.ts';
export type { Capability } from './presence/fleet.ts';
export {
  type Fleet,
  assertHost,
  type FleetPlan,
  FleetPlanError,
  EVERY_ADDRESS,
  fleetToken,
  localUrl,
  NEW_FLEET,
  PLAN,
  readFleet,
  writeFleet,
} from './setup/fleet-folder.ts';
export type { ServeEvents } from './serve/intake.ts';
export type { ProbeScope } from './serve/job-runner.ts';
export { decodeJoinToken, encodeJoinToken, type JoinToken, JoinTokenError } from './setup/join-token.ts';
export type { LocationReply } from './ask/location-reply.ts';
export { natsServerConfig } from './setup/permissions.ts';
export { prepareBus, type PreparedBus, type PrepareOptions } from './setup/prepare.ts';
export { createPresence, type Presence } from './presence/presence.ts';
export type { AskOptions } from './ask/request.ts';
export type { Route } from './presence/route.ts';
export { createRenderAsker, type AskRenderEvents, type RenderAsker } from './render/render-asker.ts';
export type { RenderEvents } from './render/render-options.ts';
export { createRendererPresence, type RendererId, type RendererPresence, type RendererView } from './render/renderer-presence.ts';
export { serveRenders, type ServingRenders, tellProblem } from './render/serve-renders.ts';
export { type ServeRendersOptions } from './render/render-options.ts';
export { serve, type ServeOptions } from './serve/serve.ts';
export type { Serving } from './serve/serving.ts';
export { subjects } from './wire/subjects.ts';
