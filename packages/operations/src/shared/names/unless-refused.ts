import { ApiError } from '@vedette/contract';

/** A temporary refusal of the gate does not end a request whose report is complete without the refused part. */
export async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'target_limited' || error.code === 'overloaded')) return undefined;
    throw error;
  }
}
