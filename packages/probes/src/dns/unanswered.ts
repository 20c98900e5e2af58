/** One try came to nothing. `retry`: asking the same server once more may help. */
export class Unanswered extends Error {
  readonly retry: boolean;

  constructor(message: string, { retry = true, cause }: { retry?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.retry = retry;
  }
}

/** The server did answer, with what cannot be read. */
export class Unreadable extends Unanswered {}
