/** One try came to nothing. The message names no address. `retry`: asking the same server once more may help. */
export class Unanswered extends Error {
  readonly retry: boolean;

  constructor(message: string, { retry = true, cause }: { retry?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.retry = retry;
  }
}

/** The text of a socket's error, without the address that Node puts into its message. */
export const socketProblem = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? (error as Error).message;

/** The server did answer, with what cannot be read. */
export class Unreadable extends Unanswered {}
