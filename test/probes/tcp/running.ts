import { ProbeFailure, type ProbePorts, type Reason } from '@vedette/contract';
import { systemClock } from '@vedette/probes/net';
import { PatternMatcher } from '@vedette/probes/patterns';
import { tcpProbe } from '@vedette/probes/tcp';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import { loopbackPorts } from '../http/loopback-ports.ts';

export type TcpJob = Parameters<typeof tcpProbe.run>[0];
export type TcpResult = Static<typeof tcpProbe.result>;

/** In one thread for all tests of a file. */
export const patterns = new PatternMatcher(systemClock);

/** The result of a job against loopback, which is partial where there is a `reason`. */
export async function measured(
  port: number,
  job: Partial<TcpJob> = {},
  ports: Parameters<typeof loopbackPorts>[0] = {},
): Promise<TcpResult & { reason?: Reason; error?: string }> {
  const all: ProbePorts = loopbackPorts({ patterns, ...ports });
  let result: TcpResult;
  let failure: ProbeFailure | undefined;
  try {
    result = await tcpProbe.run({ host: '127.0.0.1', port, family: 0, attempts: 1, ...job }, all);
  } catch (error) {
    if (!(error instanceof ProbeFailure)) throw error;
    failure = error;
    result = error.partial as TcpResult;
  }
  expect(Value.Errors(tcpProbe.result, result)).toEqual([]);
  return { ...result, ...(failure && { reason: failure.code, error: failure.message }) };
}

/** Octets in base64, as a job has them. */
export const octets = (text: string): string => Buffer.from(text, 'latin1').toString('base64');
