import type { IcmpEngine } from '@vedette/contract';

export type PathTracer = NonNullable<IcmpEngine['paths']>;
export type PathPacket = Parameters<PathTracer['send']>[1];
export type PathOutcome = Awaited<Awaited<ReturnType<PathTracer['send']>>['outcome']>;
export type PathAnswer = NonNullable<PathOutcome['answer']>;
export type MplsLabel = PathAnswer['labels'][number];
