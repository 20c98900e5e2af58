import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** What a machine is told by cloud-init, as far as tests look at it. */
interface CloudConfig {
  write_files: { path: string; content: string; permissions: string }[];
}

/** The files that user data writes, by path. */
export function filesOf(userData: string): Map<string, string> {
  const { write_files } = parse(userData) as CloudConfig;
  return new Map(write_files.map(({ path, content }) => [path, Buffer.from(content, 'base64').toString()]));
}

/** The user data of the machines in what `terraform test -json -verbose` prints, by the address of their resource: of those that differ in a number, one. */
export function userDataOf(printed: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of printed.trim().split('\n')) {
    const { test_state: state } = JSON.parse(line) as { test_state?: { root_module?: { resources?: Resource[] } } };
    for (const { address, values } of state?.root_module?.resources ?? [])
      if (typeof values['user_data'] === 'string') found.set(address.replace(/\d+/, 'n'), values['user_data']);
  }
  return found;
}
interface Resource {
  address: string;
  values: Record<string, unknown>;
}

const UNPACKED = 'node_modules/.cache/cloud-init';
/** cloud-init of Debian's packages, which `scripts/setup.sh test` unpacks and does not install; Debian's own Python runs it. */
export const CLOUD_INIT = join(UNPACKED, 'usr/bin/cloud-init');
export const hasCloudInit = existsSync(CLOUD_INIT) && existsSync('/usr/bin/python3');
export const cloudInitEnvironment = { ...process.env, PYTHONPATH: join(UNPACKED, 'usr/lib/python3/dist-packages') };
