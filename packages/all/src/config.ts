import { assertHost } from '@vedette/bus';
import {
  ADMIN_SETTINGS,
  API_SETTINGS,
  assertStrongToken,
  BUS_PROCESS_SETTINGS,
  LOCATION_ID,
  Setting,
  SettingsReader,
  VPN_EXITS,
} from '@vedette/process/settings';
import { Type, type Static } from 'typebox';

export const Settings = Type.Object({
  ...API_SETTINGS,
  VEDETTE_NATS_URL: Type.Optional(Setting.text('URL of the message bus; under `npm start` unset = our own nats-server')),
  VEDETTE_BUS_HOST: Type.Optional(
    Type.String({
      title: 'the host name in lower case, or the address, by which other machines reach this one',
      pattern: '^(?!(0\\.0\\.0\\.0|::)$)',
      description:
        'Name or address by which agents of other machines reach the message bus of `npm start`. The bus listens on an address of this machine alone, and for a name on all addresses; unset = it is on the loopback',
    }),
  ),
  VEDETTE_BUS_PORT: Type.Optional(
    Setting.port('Port of the message bus of `npm start`, its only one; unset = 4222 with VEDETTE_BUS_HOST, else any free one'),
  ),
  VEDETTE_LOCATION: Type.Optional(LOCATION_ID),
  VEDETTE_DEMO: Setting.onOff(
    '`off`: `npm start` has no agents that pretend to be in three cities. They leave, too, when the first real agent joins, and are not there with VEDETTE_LOCATION',
    'on',
  ),
  VEDETTE_VPN_EXITS: Type.Optional(VPN_EXITS),
  VEDETTE_LOG_LEVEL: BUS_PROCESS_SETTINGS.VEDETTE_LOG_LEVEL,
  // For scripts/setup.sh, which has read them before we start.
  VEDETTE_NATS_SERVER_URL: Type.Optional(
    Setting.text(
      "Where the set-up gets the nats-server that scripts/binaries.sha256 pins (docs/running.md), an http, https or file URL; unset = the distribution's is used",
    ),
  ),
  VEDETTE_INSTALL: Type.String({
    title: 'yes or no',
    pattern: '^(yes|no)$',
    default: 'yes',
    description: '`no`: the set-up of `npm start` and `npm test` installs no packages of the distribution, and prints the command instead',
  }),
});

export type AllSettings = Static<typeof Settings>;

/** Reads the environment; throws one `StartError` that names everything wrong with it. */
export function readConfig(env: Record<string, string | undefined>): AllSettings {
  const reader = new SettingsReader(env);
  // The gateway would not start with a weak one, again and again.
  reader.value('VEDETTE_ADMIN_TOKEN', assertStrongToken);
  reader.value('VEDETTE_BUS_HOST', assertHost);
  if (env['VEDETTE_BUS_HOST'] && env['VEDETTE_NATS_URL'])
    reader.problem('VEDETTE_BUS_HOST opens the message bus of `npm start`, which has none of its own where VEDETTE_NATS_URL names another');
  return reader.finish(Settings);
}

/** The locations where three agents pretend to stand until a real one joins. */
export const SIMULATED_LOCATIONS = ['eu-fra', 'us-ash', 'sg-sin'] as const;

/** The variables that the gateway reads (test/all/roles.test.ts compares them with the gateway's own list). */
export const GATEWAY_SETTINGS: readonly string[] = [
  ...Object.keys({ ...API_SETTINGS, ...ADMIN_SETTINGS, ...BUS_PROCESS_SETTINGS }),
  'VEDETTE_TLS_KEY_FILE',
  'VEDETTE_TRUSTED_PROXIES',
  'VEDETTE_CORS_ORIGINS',
  'VEDETTE_DOCS',
  'VEDETTE_OIDC_ISSUER',
  'VEDETTE_OIDC_CLIENT_ID',
  'VEDETTE_OIDC_CLIENT_SECRET',
  'VEDETTE_OIDC_CLIENT_SECRET_FILE',
  'VEDETTE_OIDC_SCOPES',
  'VEDETTE_OIDC_GROUPS_CLAIM',
  'VEDETTE_OIDC_ROLES',
  'VEDETTE_OIDC_ACCOUNT',
  'VEDETTE_PUBLIC_URL',
  'VEDETTE_DATABASE_URL',
  'VEDETTE_DATABASE_PASSWORD_FILE',
  'VEDETTE_AUDIT_DAYS',
  'VEDETTE_PASSIVE_DNS',
  'VEDETTE_PARSER_SANDBOX',
  'VEDETTE_BOOTSTRAP_CREDITS',
  'VEDETTE_LOCATIONS_FILE',
  'VEDETTE_FEEDS_FILE',
  'VEDETTE_NAME_WITNESSES',
  'VEDETTE_PORT_SCAN',
  'VEDETTE_TOR_SOCKS',
  'VEDETTE_PROBE_FILE',
  'VEDETTE_QUIC_WITNESSES',
  'VEDETTE_ENGINES_FILE',
  'VEDETTE_RDAP_BOOTSTRAP',
  'VEDETTE_WHOIS_SERVER',
  'VEDETTE_TRUST_ANCHOR_FILE',
  'VEDETTE_V1',
];

/** The variables that an agent reads; it opens no port here. */
export const AGENT_SETTINGS: readonly string[] = [
  ...Object.keys(BUS_PROCESS_SETTINGS),
  'VEDETTE_ICMP_ENGINE',
  'VEDETTE_ICMP_WITNESSES',
  'VEDETTE_NAME_WITNESSES',
];

/** The variables that the renderer reads; it opens no port here either. */
export const RENDERER_SETTINGS: readonly string[] = [
  ...Object.keys(BUS_PROCESS_SETTINGS),
  'VEDETTE_CHROMIUM',
  'VEDETTE_CHROMIUM_SANDBOX',
  'VEDETTE_DATA_DIR',
  'VEDETTE_FEEDS_FILE',
];
