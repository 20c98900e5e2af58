import { readFileSync } from 'node:fs';

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined; // a kernel without it
  }
};

/** Settings of the kernel that forbid user namespaces to those who are not root: where, which value does, and what lifts it. */
const FORBIDDING: [path: string, forbids: (value: string) => boolean, remedy: string][] = [
  ['/proc/sys/user/max_user_namespaces', (value) => value === '0', 'sysctl user.max_user_namespaces=10000'],
  ['/proc/sys/kernel/unprivileged_userns_clone', (value) => value === '0', 'sysctl kernel.unprivileged_userns_clone=1'],
  [
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    (value) => value !== '0',
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile that allows userns to the browser's file",
  ],
];

/** Chromium's message when it has no sandbox for its pages. */
const NO_SANDBOX = /No usable sandbox|Failed to move to new namespace|sandbox.*(Operation not permitted|EPERM)/i;

/** Whether that is why a browser did not start. */
export const lacksSandbox = (lines: readonly string[]): boolean => lines.some((line) => NO_SANDBOX.test(line));

/** The operator's cure when the kernel allows only root to make user namespaces, which the browser's sandbox needs. */
export function sandboxRemedy(setting: (path: string) => string | undefined = read): string {
  const remedies = FORBIDDING.flatMap(([path, forbids, remedy]) => {
    const value = setting(path);
    return value !== undefined && forbids(value) ? [remedy] : [];
  });
  const allow =
    remedies.length > 0
      ? `allow it to make user namespaces: ${remedies.join('; ')}`
      : "allow it to make user namespaces: in a container with a seccomp profile that lets clone and unshare make them (docs/renderers.md#the-sandbox), as Docker's own does not";
  return `the browser cannot start its sandbox, and pages of strangers are not opened without. As root, ${allow}. Only where none of that can be done, set VEDETTE_CHROMIUM_SANDBOX=off: a page that breaks out of the browser's script engine then has what this process has`;
}
