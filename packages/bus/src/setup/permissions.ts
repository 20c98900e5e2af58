import { CHUNK_BYTES } from '../frames/index.ts';
import { isId } from '@vedette/contract';
import { RENDERERS, subjects } from '../wire/subjects.ts';

export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

export interface NatsServerOptions {
  host: string;
  port: number;
  /** Each process a key of its own: the public key names its inbox. */
  gateways: readonly { publicKey: string }[];
  /** `agent`: the only one that may use the key; absent: any of the location, whatever their names. */
  agents: readonly { publicKey: string; location: string; agent?: string }[];
  /** A key names its holder's subjects; renderers that share one can speak for each other. */
  renderers?: readonly { publicKey: string }[];
  tls?: TlsFiles | undefined;
  /** A file beside the configuration with lines of the operator's own, which win. */
  ownConfig?: string | undefined;
}

/** The limits of one connection. An agent has eighteen, a gateway during a flood of beats one for each location or agent that it listens to. */
const MAX_SUBSCRIPTIONS = 512;
/** Connections of those who share a key, beside the few of each key's own process. */
const SPARE_CONNECTIONS = 512;
const CONNECTIONS_PER_KEY = 4;
/** A job's own line, its subject and the one for replies, takes 350 bytes at most, a client's greeting about 500. */
const MAX_CONTROL_LINE_BYTES = 2_048;

/** Replies to one job: an ack each time that it is sent, and a final; for longer than the longest operation takes. */
const RESPONSES = 'allow_responses: { max: 8, expires: "75s" }';

/**
 * The configuration of a nats-server whose users are nkeys with the permissions of their role and nothing else. An agent
 * subscribes only to its own location's jobs, a renderer to pages alone, and both publish only their own beats and replies to jobs they were
 * given, a renderer also questions for an input; only gateways publish jobs and read their own inboxes. Throws `TypeError` for an id that
 * is not a subject token, or an invalid public key.
 */
export function natsServerConfig({ host, port, gateways, agents, renderers = [], tls, ownConfig }: NatsServerOptions): string {
  const users = userLines({ gateways, agents, renderers });
  return `# Written by "vedette bus prepare", as a whole each time: lines of your own belong into own.conf beside it.
host: ${JSON.stringify(host)}
port: ${port}
${limitLines(users.length)}
${tls === undefined ? '' : `tls: { cert_file: ${JSON.stringify(tls.certFile)}, key_file: ${JSON.stringify(tls.keyFile)} }\n`}authorization: {
  timeout: 5
  users: [
${users.join('\n')}
  ]
}
${ownConfig === undefined ? '' : `include ${JSON.stringify(ownConfig)}\n`}`;
}

type Users = Pick<NatsServerOptions, 'gateways' | 'agents' | 'renderers'>;

/** A line for each key, with what its role may do. */
export const userLines = ({ gateways, agents, renderers = [] }: Users): string[] => [
  ...gateways.map(({ publicKey }) => user(publicKey, gatewayPermissions(publicKey))),
  ...agents.map(({ publicKey, location, agent }) =>
    user(publicKey, agentPermissions(token(location), agent === undefined ? '*' : token(agent))),
  ),
  ...renderers.map(({ publicKey }) => user(publicKey, rendererPermissions(publicKey))),
];

/** The limits of one connection, and of all, on a server with so many keys. */
export const limitLines = (users: number): string => `max_connections: ${SPARE_CONNECTIONS + CONNECTIONS_PER_KEY * users}
max_subscriptions: ${MAX_SUBSCRIPTIONS}
max_control_line: ${MAX_CONTROL_LINE_BYTES}
max_payload: ${CHUNK_BYTES}
max_pending: 16MB
write_deadline: "5s"
ping_interval: "10s"
ping_max: 3`;

interface Permissions {
  publish: readonly string[];
  /** `subject queue` allows a subscription in that queue group only. */
  subscribe: readonly string[];
  responses: boolean;
}

const gatewayPermissions = (publicKey: string): Permissions => ({
  publish: [
    subjects.job('*', '*'),
    subjects.pinnedJob('*', '*', '*'),
    subjects.cancel('*'),
    subjects.render('*'),
    subjects.pinnedRender('*', '*', '*'),
    subjects.renderCancel,
    subjects.renderChunk('*', '*', '*'),
    subjects.renderOutput('*', '*'),
    subjects.roll,
    subjects.denied,
    subjects.keys('>'),
  ],
  subscribe: [
    `${subjects.inbox(publicKey)}.>`,
    subjects.beat('*', '*'),
    subjects.rendererBeat('*', '*'),
    subjects.renderInput(publicKey),
    subjects.denied,
    subjects.keys('>'),
  ],
  responses: false,
});

const agentPermissions = (location: string, agent: string): Permissions => ({
  publish: [subjects.beat(location, agent)],
  subscribe: [
    `${subjects.job('*', location)} ${location}`,
    subjects.pinnedJob('*', location, agent),
    subjects.cancel(location),
    subjects.roll,
    subjects.denied,
  ],
  responses: true,
});

const rendererPermissions = (publicKey: string): Permissions => ({
  publish: [subjects.rendererBeat(publicKey, '*'), subjects.renderInput('*')],
  subscribe: [
    `${subjects.render('*')} ${RENDERERS}`,
    subjects.pinnedRender('*', publicKey, '*'),
    subjects.renderChunk(publicKey, '*', '*'),
    subjects.renderOutput(publicKey, '*'),
    subjects.renderCancel,
    subjects.roll,
    subjects.denied,
  ],
  responses: true,
});

function user(publicKey: string, { publish, subscribe, responses }: Permissions): string {
  if (!/^U[A-Z2-7]{55}$/.test(publicKey)) throw new TypeError('not the public key of a user');
  const allow = (subjects: readonly string[]) => `{ allow: ${JSON.stringify(subjects)} }`;
  return `    { nkey: ${publicKey}, permissions: { publish: ${allow(publish)}, subscribe: ${allow(subscribe)}${responses ? `, ${RESPONSES}` : ''} } }`;
}

/** The id, where it may stand in a subject. Throws `TypeError` where it may not. */
export function token(id: string): string {
  if (!isId(id)) throw new TypeError(`not a subject token: ${JSON.stringify(id)}`);
  return id;
}
