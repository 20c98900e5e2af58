import { spawnSync } from 'node:child_process';

/**
 * Keys in the keyring of the system (Secret Service), by libsecret's `secret-tool`. A key crosses by its standard input and output: other users see the
 * arguments of a process. Each function throws an Error that says what to do.
 */
export const keyring = {
  store: (name: string, url: string, key: string): void =>
    void secretTool(['store', '--label', `Vedette: ${name}`, ...attributesOf(name, url)], key),
  read: (name: string, url: string): string => secretTool(['lookup', ...attributesOf(name, url)]),
  remove: (name: string, url: string): void => void secretTool(['clear', ...attributesOf(name, url)]),
};

/** The address is one of them, so that a key is read for its own gateway alone. */
const attributesOf = (name: string, url: string): string[] => ['service', 'vedette', 'profile', name, 'url', url];

function secretTool(args: string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync('secret-tool', args, { input, encoding: 'utf8' });
  if (error) throw new Error('secret-tool cannot be started, which reaches the keyring: apt-get install libsecret-tools', { cause: error });
  if (status !== 0) throw new Error(`the keyring does not answer, or has no such key: ${stderr.trim() || 'nothing was found'}`);
  return stdout.trim();
}
