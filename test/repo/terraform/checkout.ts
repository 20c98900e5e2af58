import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Not in Debian's archive, so the set-up cannot install it: where it is missing its tests show up as skipped. */
export const hasTerraform = spawnSync('terraform', ['version']).status === 0;

/** Where providers may lie on this machine, as `terraform providers mirror` writes them. Tests fetch none. */
const MIRRORS = ['/opt/tf-plugins', '/usr/local/share/terraform/plugins', join(homedir(), '.terraform.d/plugins')];
const mirrorOf = (provider: string): string | undefined =>
  MIRRORS.find((folder) => existsSync(join(folder, 'registry.terraform.io', provider)));

/** Whether a provider (`hashicorp/aws`) is at hand. */
export const hasProvider = (provider: string): boolean => hasTerraform && mirrorOf(provider) !== undefined;

/** A copy of terraform/ and of what it reads, so that no test leaves a lock file or a state in the folder that is committed. */
export interface Checkout {
  folder: string;
  /** Runs terraform in a folder below terraform/; what it printed, or an error with that. */
  terraform(module: string, ...args: string[]): Promise<string>;
  remove(): void;
}

export function checkout(): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-terraform-'));
  for (const path of ['terraform', 'package-lock.json', 'deploy/systemd'])
    cpSync(path, join(folder, path), { recursive: true, filter: (from) => !/\.terraform|tfstate/.test(from) });
  mkdirSync(join(folder, 'home'));
  const mirrors = MIRRORS.filter(existsSync).map((path) => `  filesystem_mirror { path = ${JSON.stringify(path)} }`);
  const config = join(folder, 'home/terraformrc');
  writeFileSync(config, `disable_checkpoint = true\nprovider_installation {\n${mirrors.join('\n')}\n}\n`);
  const env = { ...process.env, HOME: join(folder, 'home'), TF_CLI_CONFIG_FILE: config, TF_IN_AUTOMATION: '1' };
  return {
    folder,
    terraform: (module, ...args) =>
      new Promise((resolve, reject) => {
        execFile('terraform', args, { cwd: join(folder, 'terraform', module), env, maxBuffer: 64 << 20 }, (error, stdout, stderr) =>
          error === null ? resolve(stdout) : reject(new Error(`terraform ${args.join(' ')} in ${module}:\n${stdout}${stderr}`)),
        );
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
