import { ApiError } from '@vedette/contract';

/** What the gate refuses for now ends no request whose report is complete without it. */
export async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'target_limited' || error.code === 'overloaded')) return undefined;
    throw error;
  }
}
