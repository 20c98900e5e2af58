import { readCredentials } from '@vedette/bus';
import { parseEndpoints } from '@vedette/probes/dns';
import { readCa } from '@vedette/probes/net';
import {
  BUS_PROCESS_SETTINGS,
  type BusProcessConfig,
  OPS_SETTINGS,
  readBusProcess,
  Setting,
  SettingsReader,
} from '@vedette/process/settings';
import { type Static, Type } from 'typebox';

export const Settings = Type.Object({
  ...BUS_PROCESS_SETTINGS,
  VEDETTE_CHROMIUM: Type.Optional(
    Setting.text("Path of the browser, Chromium or its headless shell; unset = npm's, which the set-up unpacks (docs/running.md)"),
  ),
  VEDETTE_CHROMIUM_SANDBOX: Setting.onOff(
    "`off` only where the kernel forbids the browser's sandbox: a page that breaks out of its script engine then has what the renderer has",
    'on',
  ),
  VEDETTE_OPS_HOST: OPS_SETTINGS.VEDETTE_OPS_HOST,
  VEDETTE_OPS_PORT: Type.Optional(Setting.port("Port of the operators' listener; unset = there is none")),
});

/** The renderer's configuration: settings by name, and the files and lists they stand for, read once. */
export interface RendererConfig extends BusProcessConfig {
  settings: Readonly<Static<typeof Settings>>;
}

/** Reads the environment; throws one `StartError` that names everything wrong with the settings. */
export function readConfig(env: Record<string, string | undefined>): RendererConfig {
  const reader = new SettingsReader(env);
  const config = readBusProcess(reader, { credentials: readCredentials, resolvers: parseEndpoints, ca: readCa });
  return Object.freeze({ settings: reader.finish(Settings), ...config });
}
