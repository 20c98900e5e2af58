import { readCredentials } from '@vedette/bus';
import { DEFAULT_FEEDS, type FeedSettings, readFeedSettings } from '@vedette/intel/datasets';
import { parseEndpoints, readEndpoints } from '@vedette/probes/dns';
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
  VEDETTE_CHROMIUM: Type.Optional(Setting.text("Path of the browser, Chromium or its headless shell; unset = npm's (docs/renderers.md)")),
  VEDETTE_CHROMIUM_SANDBOX: Setting.onOff(
    "`off` only where the kernel forbids the browser's sandbox: a page that breaks out of its script engine then has what the renderer has",
    'on',
  ),
  VEDETTE_BROWSER_FOLDER: Type.Optional(
    Setting.text(
      'Folder with the socket of a process of another user that runs the browser; unset = the renderer does (set by `npm start` as root)',
    ),
  ),
  VEDETTE_DATA_DIR: Type.Optional(
    Setting.text(
      "Folder of this renderer's own for npm's browser, unpacked, and copies of filter lists; unset = none is fetched, and ads are known by a short list",
    ),
  ),
  VEDETTE_FEEDS_FILE: Type.Optional(
    Setting.text('JSON file that changes, adds or turns off feeds (docs/datasets.md); unset = the catalogue that is built in'),
  ),
  VEDETTE_OPS_HOST: OPS_SETTINGS.VEDETTE_OPS_HOST,
  VEDETTE_OPS_PORT: Type.Optional(Setting.port("Port of the operators' listener; unset = there is none")),
});

/** The renderer's configuration: settings by name, and the files and lists they stand for, read once. */
export interface RendererConfig extends BusProcessConfig {
  settings: Readonly<Static<typeof Settings>>;
  feeds: FeedSettings;
}

/** Reads the environment; throws one `StartError` that names everything wrong with the settings. */
export function readConfig(env: Record<string, string | undefined>): RendererConfig {
  const reader = new SettingsReader(env);
  const config = readBusProcess(reader, { credentials: readCredentials, resolvers: parseEndpoints, endpoints: readEndpoints, ca: readCa });
  const feeds = reader.file('VEDETTE_FEEDS_FILE', readFeedSettings) ?? DEFAULT_FEEDS;
  return Object.freeze({ settings: reader.finish(Settings), ...config, feeds });
}
