import { API_SETTINGS, BUS_PROCESS_SETTINGS, readSettings, Setting, VPN_EXITS } from '@vedette/process/settings';
import { Type, type Static } from 'typebox';

export const Settings = Type.Object({
  ...API_SETTINGS,
  VEDETTE_NATS_URL: Type.Optional(Setting.text('URL of the message bus; under `npm start` unset = our own nats-server')),
  VEDETTE_VPN_EXITS: Type.Optional(VPN_EXITS),
  VEDETTE_LOG_LEVEL: BUS_PROCESS_SETTINGS.VEDETTE_LOG_LEVEL,
});

export type AllSettings = Static<typeof Settings>;

/** Reads the environment; throws one `StartError` that names everything wrong with it. */
export const readConfig = (env: Record<string, string | undefined>): AllSettings => readSettings(Settings, env);

/** The locations where the three agents of one machine pretend to stand. */
export const SIMULATED_LOCATIONS = ['eu-fra', 'us-ash', 'sg-sin'] as const;
