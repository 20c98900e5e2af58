/** The exit itself is at fault, not the target behind it: another exit may do better. The message holds no credential. */
export class ExitFailure extends Error {
  constructor(label: string, seen: string, cause?: unknown) {
    super(`${label}: ${seen}`, cause === undefined ? undefined : { cause });
    this.name = 'ExitFailure';
  }
}
