import type { CentralContext } from '../../kit/index.ts';
import { ProbeFailure } from '@vedette/contract';
import { fetchBytes, type FetchOptions } from '@vedette/probes/fetch';

/** A file, or the reason why it is missing. */
export interface Download {
  /** 0 when no answer came. */
  status: number;
  body: Uint8Array;
  /** Empty when the file is there. */
  error: string;
}

/** Fetches a file, and turns every failure of its server into data. Rejects only when the request itself has ended. */
export async function download(
  file: Pick<FetchOptions, 'url' | 'maxBytes' | 'timeout_ms' | 'schemes' | 'isOptedOut'>,
  { resolver, dialler, clock, ca, userAgent, isDenied, signal }: CentralContext,
): Promise<Download> {
  try {
    const { status, body } = await fetchBytes({ ...file, resolver, dialler, clock, ca, userAgent, isDenied, signal });
    return { status, body, error: status === 200 ? '' : `the server answered with status ${status}` };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProbeFailure)) throw error;
    return { status: 0, body: new Uint8Array(), error: error.message };
  }
}
