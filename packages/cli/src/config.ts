import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMIN_SETTINGS, DATABASE_SETTINGS, readDatabaseUrl, SettingsReader } from '@vedette/process/settings';
import { Type } from 'typebox';

const Settings = Type.Object({ ...ADMIN_SETTINGS, ...DATABASE_SETTINGS });

export interface CliConfig {
  /** Where the gateway's operators' listener is. */
  url: string;
  /** Whether a gateway has left its token in the data directory. */
  hasGatewayData(): boolean;
  /** The token of its /admin. Throws an Error that tells an operator what to set. */
  adminToken(): Promise<string>;
  /** Place of the gateway's database: the embedded server in the data directory when no URL is set. */
  database: { url: string | undefined; dataDir: string };
}

/** Reads the environment; throws one `StartError` that names everything wrong with it. */
export function readConfig(env: Record<string, string | undefined>): CliConfig {
  const reader = new SettingsReader(env);
  const databaseUrl = readDatabaseUrl(reader);
  const { VEDETTE_OPS_HOST: host, VEDETTE_OPS_PORT: port, VEDETTE_DATA_DIR: dataDir, VEDETTE_ADMIN_TOKEN } = reader.finish(Settings);
  const file = join(dataDir, 'admin-token');
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    hasGatewayData: () => existsSync(file),
    database: { url: databaseUrl, dataDir },
    async adminToken() {
      const token = VEDETTE_ADMIN_TOKEN ?? (await readFile(file, 'utf8').catch(() => undefined));
      if (token !== undefined) return token.trim();
      throw new Error(
        `no admin token: set VEDETTE_ADMIN_TOKEN, or VEDETTE_DATA_DIR to the gateway's data directory (${file} cannot be read)`,
      );
    },
  };
}
