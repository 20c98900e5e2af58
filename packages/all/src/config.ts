import { readSettings, Setting } from '@vedette/contract';
import { Type, type Static } from 'typebox';

export const Settings = Type.Object({
  VEDETTE_HOST: Setting.text('Address of the API listener', '127.0.0.1'),
  VEDETTE_PORT: Setting.port('Port of the API listener; 0 = any free one', '8080'),
  VEDETTE_OPS_HOST: Setting.text('Address of /metrics, /healthz, /readyz, /admin', '127.0.0.1'),
  VEDETTE_OPS_PORT: Setting.port('Port of them; agents listen only where it is set for them', '9464'),
  VEDETTE_TLS_CERT_FILE: Type.Optional(Setting.text('Set: the gateway speaks HTTPS')),
  VEDETTE_DATA_DIR: Setting.text('Embedded database, keys', './data'),
  VEDETTE_NATS_URL: Type.Optional(Setting.text('Bus; unset = our own nats-server under `npm start`, else nats://127.0.0.1:4222')),
  VEDETTE_BOOTSTRAP_KEY: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{8,128}$', description: 'API key valid at every start' })),
  VEDETTE_VPN_EXITS: Type.Optional(Setting.text('Exits for vpn-test: `socks5://…,http://…,iface:wg0`, each with an optional `#location`')),
});

export type AllSettings = Static<typeof Settings>;

/** Reads the environment; throws one Error that names everything wrong with it. */
export const readConfig = (env: Record<string, string | undefined>): AllSettings => readSettings(Settings, env);

/** The places that the three agents of one machine pretend to be in. */
export const SIMULATED_LOCATIONS = ['eu-fra', 'us-ash', 'sg-sin'] as const;
