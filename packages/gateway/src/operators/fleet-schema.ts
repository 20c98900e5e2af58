import { PRESENCE_STATES } from '@vedette/bus';
import { Enum, text } from '@vedette/contract';
import { Type } from 'typebox';

const Count = (description: string) => Type.Integer({ description });
const Ms = (description: string) => Type.Number({ description });

/** Results of a self-test of one capability. */
const SELF_TESTS = ['works', 'fails', 'absent', 'untested'] as const;
export type SelfTest = (typeof SELF_TESTS)[number];

const Seen = {
  state: Enum(PRESENCE_STATES, { description: 'State by its heartbeats; suspect and gone: it was not heard for 5 or 10 seconds' }),
  outdated: Type.Boolean({ description: 'Whether its version of the bus protocol differs, so that it is not asked' }),
  version: text('Version of its software'),
  silent_ms: Ms('Time since its last heartbeat in ms'),
};

const Agent = Type.Object(
  {
    location: text('Location id'),
    agent: text('Agent id'),
    ...Seen,
    node: text('Version of Node.js; empty if unknown'),
    started_at: text('Start of its process by its own clock, ISO 8601; empty if unknown'),
    simulated: Type.Boolean({ description: 'Whether the agent only simulates its location' }),
    jobs: Count('Jobs under way'),
    slots: Type.Array(
      Type.Object(
        {
          kind: text('Kind of probe'),
          used: Count('Slots in use'),
          max: Count('All slots'),
          left_out: Type.Boolean({ description: 'Other agents get such jobs for a while, since this one failed too many' }),
        },
        { title: 'AgentSlots' },
      ),
      { description: 'Slots for jobs, by kind of probe' },
    ),
    self_tests: Type.Array(
      Type.Object(
        {
          name: text('Network function: icmp4, icmp6, tcp4, tcp6, udp4, udp6, quic, resolver, clock, names'),
          result: Enum(SELF_TESTS, { description: 'absent: the agent does not have it; untested: no witness can tell' }),
        },
        { title: 'AgentSelfTest' },
      ),
      { description: 'Results of the latest self-test' },
    ),
    witnesses: Count('Addresses that the self-test asks'),
    witnesses_failing: Count('Addresses among them that did not answer'),
    vpn_exits: Count('Configured VPN exits'),
    vpn_exits_working: Count('VPN exits that passed their last check'),
    clock_skew_ms: Ms('Lead of its clock over that of the service in ms'),
    ack_ms: Ms('Smoothed time from dispatch to acknowledgement in ms; 0 if it never took a job'),
    event_loop_delay_ms: Ms('Delay of its event loop in ms, 99th percentile since the heartbeat before'),
  },
  { title: 'FleetAgent' },
);

const Renderer = Type.Object(
  {
    renderer: text('Renderer id'),
    ...Seen,
    browser: text('Version of its browser; empty while none runs'),
    slots_used: Count('Slots in use'),
    slots_max: Count('All slots'),
    problem: text('Reason why the renderer cannot render; empty if it can'),
  },
  { title: 'FleetRenderer' },
);

/** The answer of GET /v2/fleet, without its locations. */
export const FLEET = {
  agents: Type.Array(Agent, { description: 'Agents that this gateway has heard within ten minutes, by location' }),
  renderers: Type.Array(Renderer, { description: 'Renderers that this gateway has heard within ten minutes' }),
  impaired: Type.Array(
    Type.Object({ part: text('Part of the service'), reason: text('Reason, and the remedy if there is one') }, { title: 'ImpairedPart' }),
    { description: 'Parts that the service runs without' },
  ),
};

/** The answer of GET /v2/feeds. */
export const FeedList = Type.Object(
  {
    feeds: Type.Array(
      Type.Object(
        {
          name: text('Name of the feed'),
          dataset: text('Dataset that it belongs to'),
          list: text('List that it fills, or a part of'),
          enabled: Type.Boolean({ description: 'Whether the feed is fetched' }),
          rows: Count('Entries in use'),
          origin: Enum(['shipped', 'source', 'imported', 'none'], {
            description: 'Origin of the entries: the release, the source, or a file',
          }),
          confirmed_at: text('Time when the source last had this version, ISO 8601; empty without data'),
          age_seconds: Count('Seconds since then; without data, seconds for which it has been missing'),
          every_hours: Count('Hours between two fetches'),
          problem: text('Reason why the last fetch failed; empty if it did not'),
          url: text('Address of the source'),
          tells: text('Contents, for people'),
          licence: text('Licence'),
          attribution: text('Name to credit'),
          note: text('Reason why the feed is off, or what to know before it is turned on'),
        },
        { title: 'Feed' },
      ),
      { description: 'Feeds of this gateway, in the order of the catalogue' },
    ),
  },
  { title: 'FeedList' },
);

/** The answer of GET /v2/engines. */
export const EngineList = Type.Object(
  {
    engines: Type.Array(
      Type.Object(
        {
          id: text('Id of the engine'),
          name: text('Name of the engine'),
          subject: Enum(['address', 'name', 'url'], { description: 'Kind of subjects that it lists' }),
          source: text('Zone or list of the engine'),
          state: Enum(['disabled', 'keyed', 'untried', 'good', 'partly', 'off', 'resting'], {
            description:
              'Health by its own test entries. resting: its circuit breaker is open; partly: one address family is switched off; keyed: asked for requests with a key',
          }),
          problem: text('Reason why the engine is not asked, or did not answer last; empty if all is well'),
          servers: Type.Array(Type.String(), { description: 'Servers that are asked' }),
          terms: text('Terms of use'),
          per_s: Type.Number({ description: 'Questions per second over all accounts and gateways; 0 for a list in memory' }),
          burst: Count('Questions at once; 0 for a list in memory'),
        },
        { title: 'Engine' },
      ),
      { description: 'Blacklist engines, as this gateway sees them' },
    ),
  },
  { title: 'EngineList' },
);
