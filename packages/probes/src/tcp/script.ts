import { ProbeFailure, type ProbePorts } from '@vedette/contract';
import type { TlsSession } from '../net/tls.ts';
import { withGroups } from '../patterns/re2.ts';
import type { Step } from './job.ts';
import { Talk, TooMuch } from './talk.ts';
import type { TcpTrace } from './trace.ts';

/** The limit of Go's scanner. */
const LINE_MAX_OCTETS = 64 * 1024;
/** All that a server may say before a script ends. */
const MAX_OCTETS = 1024 * 1024;

export interface ScriptOptions {
  /** Begins TLS over a conversation that has nothing pending. */
  secure(talk: Talk): Promise<TlsSession>;
  /** The script begins within TLS. */
  begins: boolean;
}

/**
 * Runs `query_response` of blackbox_exporter: within a step `expect`, `labels`, `expect_bytes`, `send` and `starttls`, in that order. What a
 * server says otherwise is in `detail.script`. Rejects with `ProbeFailure` answer_timeout by the signal, and as `secure` does.
 */
export async function runScript(
  first: Talk,
  steps: readonly Step[],
  trace: TcpTrace,
  { secure, begins }: ScriptOptions,
  { clock, patterns }: ProbePorts,
  signal: AbortSignal,
): Promise<void> {
  let talk = first;
  const switchOver = async (): Promise<void> => {
    const behind = talk.pending;
    if (behind.length > 0) throw new ProbeFailure('starttls_failed', `${behind.length} octets of plaintext before TLS`);
    talk = new Talk((await secure(talk)).socket, clock, signal);
    trace.phase = 'talk';
  };
  trace.phase = 'talk';
  if (begins) await switchOver();
  const { detail } = trace;
  for (const step of steps) {
    let send: Buffer = step.send === undefined ? Buffer.alloc(0) : Buffer.from(step.send, 'base64');
    if (step.expect !== undefined) {
      const { pattern, names } = withGroups(step.expect);
      const match = await lineWith(pattern);
      if (typeof match === 'string') return void (detail.script = match);
      send = expand(send, match, names);
      if (step.labels)
        detail.labels.push(
          step.labels.map(({ name, value }) => ({ name, value: expand(Buffer.from(value), match, names).toString().slice(0, 4096) })),
        );
    }
    if (step.expect_bytes !== undefined) {
      const wanted = Buffer.from(step.expect_bytes, 'base64');
      const came = await talk.until((heard) => (heard.length >= wanted.length ? wanted.length : 0), MAX_OCTETS);
      if (!came) return void (detail.script = 'ended');
      if (!came.equals(wanted)) return void (detail.script = 'no_bytes');
    }
    if (send.length > 0) talk.send(Buffer.concat([send, Buffer.from('\n')]));
    if (step.starttls) await switchOver();
  }
  detail.script = 'done';

  /** The groups of the first line that matches, or how it ended without one. */
  async function lineWith(pattern: RegExp): Promise<readonly (string | undefined)[] | 'no_match' | 'ended' | 'pattern_timeout'> {
    for (;;) {
      let line: Buffer | undefined;
      try {
        line = talk.octets > MAX_OCTETS ? undefined : await talk.line(LINE_MAX_OCTETS);
      } catch (error) {
        if (error instanceof TooMuch) return 'ended';
        throw error;
      }
      if (line === undefined) return talk.error === undefined ? 'no_match' : 'ended';
      const match = await patterns.groups(pattern, line.toString(), signal);
      if (match === undefined) return 'pattern_timeout';
      if (match !== null) return match;
    }
  }
}

/** Fills in `$1`, `${1}`, `$name` and `${name}`; `$$` is a dollar sign, and a group that is not there is empty (`Regexp.Expand` of Go). */
function expand(template: Buffer, groups: readonly (string | undefined)[], names: readonly (string | undefined)[]): Buffer {
  const valueOf = (name: string) =>
    (/^\d+$/.test(name) ? groups[Number(name)] : groups[names.lastIndexOf(name) + 1 || groups.length]) ?? '';
  const filled = template
    .toString('latin1')
    .replace(
      /\$(?:(\$)|\{(\w+)\}|(\w+))/g,
      (_, dollar?: string, braced?: string, bare?: string) => dollar ?? Buffer.from(valueOf((braced ?? bare)!)).toString('latin1'),
    );
  return Buffer.from(filled, 'latin1');
}
