import type { ErrorCode } from './api.d.ts';

/** The parts of an error beside its sentence. */
interface Refusal {
  /** `unreachable`: no answer arrived, or it broke off. `unreadable`: something else than the API answered. */
  code: ErrorCode | 'unreachable' | 'unreadable';
  /** HTTP status; 0 if no answer arrived. */
  status: number;
  /** Name of the invalid parameter. */
  param?: string | undefined;
  /** Request id, as in the service's logs. */
  requestId?: string | undefined;
  /** Time after which the same request may succeed. */
  retryAfterMs?: number | undefined;
}

/** A request that brought no report. Branch on `code`: the message is for people. */
export class VedetteError extends Error {
  override readonly name = 'VedetteError';
  readonly code: Refusal['code'];
  readonly status: number;
  readonly param: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { code, status, param, requestId, retryAfterMs }: Refusal, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.param = param;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The error of an `error` event, of a line of a bulk answer, or of the body of a refusal. Undefined if the value is something else. */
export function errorOf(value: unknown, rest: Omit<Refusal, 'code' | 'param'>): VedetteError | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { error, code, param } = value as { error?: unknown; code?: unknown; param?: unknown };
  if (typeof error !== 'string' || typeof code !== 'string') return undefined;
  return new VedetteError(error, { ...rest, code: code as ErrorCode, param: typeof param === 'string' ? param : undefined });
}
