import { ApiError } from '@vedette/contract';

/** A temporary refusal of the gate does not end a request whose report is complete without the refused part. */
export async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'target_limited' || error.code === 'overloaded')) return undefined;
    throw error;
  }
}
