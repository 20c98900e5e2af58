import { accessSync, chmodSync, constants, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FolderLock, lockFolder } from '@vedette/process/folder-lock';

const POLL_MS = 20;
/** A version, and one that is being removed; an unfinished one ends in a process's number (unpack.ts). */
const VERSION = /^chromium-\d+\.\d+\.\d+(\.removed)?$/;

/** Where npm's browser stays unpacked; undefined where we may not write, or `mayEnter` says that its user cannot enter. */
export async function keptFolder(
  bySetUp: string,
  kept: string | undefined,
  mayEnter: (folder: string) => Promise<boolean>,
): Promise<string | undefined> {
  const [parent, name] =
    kept === undefined
      ? [dirname(bySetUp), basename(bySetUp)]
      : [join(resolve(kept), 'browser'), basename(bySetUp).replace('.vedette-', '')];
  try {
    if (mkdirSync(parent, { recursive: true }) !== undefined) chmodSync(parent, 0o755); // the browser is not always run by who unpacks it
    accessSync(parent, constants.W_OK);
    return (await mayEnter(parent)) ? join(parent, name) : undefined;
  } catch {
    return undefined; // it is not ours
  }
}

/**
 * Unpacks a browser that stays, unless it is there, and keeps other renderers from removing it. Removes other versions beside it that no process keeps: a renderer
 * that shares the folder may start its browser from them at any time.
 */
export async function keepBrowser(folder: string, unpack: (folder: string) => Promise<unknown>): Promise<FolderLock | undefined> {
  for (;;) {
    await unpack(folder);
    const lock = lockFolder(folder, 'shared');
    if (lock !== 'taken') {
      await removeOthers(folder);
      return lock === 'impossible' ? undefined : lock;
    }
    await sleep(POLL_MS); // one that is being removed is soon gone
  }
}

async function removeOthers(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (!VERSION.test(name) || path === folder) continue;
    const lock = lockFolder(path, 'alone');
    if (lock === 'taken' || lock === 'impossible') continue;
    try {
      // Under another name, it is unpacked anew by a renderer that starts meanwhile.
      const removed = name.endsWith('.removed') ? path : `${path}.removed`;
      if (removed !== path) renameSync(path, removed);
      await rm(removed, { recursive: true, force: true });
    } catch {
      // another user's
    } finally {
      lock.release();
    }
  }
}
