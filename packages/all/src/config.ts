import { API_SETTINGS, readSettings, Setting } from '@vedette/contract';
import { Type, type Static } from 'typebox';

export const Settings = Type.Object({
  ...API_SETTINGS,
  VEDETTE_NATS_URL: Type.Optional(Setting.text('Bus; unset = our own nats-server under `npm start`, else nats://127.0.0.1:4222')),
  VEDETTE_VPN_EXITS: Type.Optional(Setting.text('Exits for vpn-test: `socks5://…,http://…,iface:wg0`, each with an optional `#location`')),
});

export type AllSettings = Static<typeof Settings>;

/** Reads the environment; throws one Error that names everything wrong with it. */
export const readConfig = (env: Record<string, string | undefined>): AllSettings => readSettings(Settings, env);

/** The places that the three agents of one machine pretend to be in. */
export const SIMULATED_LOCATIONS = ['eu-fra', 'us-ash', 'sg-sin'] as const;
