export type { AgentView, PresenceState } from './agent.ts';
export { createAsker, type Asker, type AskerOptions } from './asker.ts';
export {
  isNoResponders,
  openBus,
  type Bus,
  type BusMessage,
  type BusOptions,
  type BusSubscription,
  type BusWarning,
} from './connection.ts';
export { createNkey, locationsOf, publicKeyOf, readCredentials } from './credentials.ts';
export { announceDenied, followDenied, type Announcer, type Denied } from './denied.ts';
export type { BusEvents, HedgeReason } from './events.ts';
export type { Capability } from './fleet.ts';
export { type Fleet, type FleetPlan, fleetToken, NEW_FLEET, readFleet, writeFleet } from './fleet-folder.ts';
export type { ServeEvents } from './intake.ts';
export type { ProbeScope } from './job-runner.ts';
export { decodeJoinToken, encodeJoinToken, type JoinToken, JoinTokenError } from './join-token.ts';
export type { LocationReply } from './location-reply.ts';
export { natsServerConfig } from './permissions.ts';
export { prepareBus, type PreparedBus, type PrepareOptions } from './prepare.ts';
export { createPresence, type Presence } from './presence.ts';
export type { AskOptions } from './request.ts';
export type { Route } from './route.ts';
export { createRenderAsker, type AskRenderEvents, type RenderAsker } from './render-asker.ts';
export type { RenderEvents } from './render-desk.ts';
export { createRendererPresence, type RendererId, type RendererPresence, type RendererView } from './renderer-presence.ts';
export { serveRenders, type ServeRendersOptions, type ServingRenders, tellProblem } from './serve-renders.ts';
export { serve, type ServeOptions, type Serving } from './serve.ts';
export { subjects } from './subjects.ts';
