import { type ExitEndpoint, parseHttpUrl, ProbeFailure, within } from '@vedette/contract';
import { familiesOf } from '../host/judge-host.ts';
import { resolveTargets } from '../http/target.ts';
import { startTrace, timeoutOf } from '../http/trace.ts';
import { exchange } from '../http/wire/exchange.ts';
import { contentCodings, type HttpRequest } from '../http/wire/message.ts';
import { type Dial, Opener } from '../http/wire/opener.ts';
import type { FetchOptions } from './fetch.ts';

export interface RequestOptions extends Omit<FetchOptions, 'silence_ms' | 'originFields' | 'isOptedOut'>, HttpRequest {
  /** A server of the operator's, which is reached wherever its name leads (`EngineConfig.servers`). */
  server: ExitEndpoint;
}

export interface RequestAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
}

/**
 * One request to a service that we need for ourselves, over a connection of its own. TLS is verified, and a redirect is an answer. The
 * server that the operator named is not judged by its address; all others are, as targets are. Rejects as `fetchBytes` does.
 */
export function requestOnce(options: RequestOptions): Promise<RequestAnswer> {
  const { url, schemes, method, body, maxBytes, timeout_ms, server, dialler, clock } = options;
  const trace = startTrace(clock.now());
  const until = clock.now() + timeout_ms;
  return within(
    clock,
    timeout_ms,
    options.signal,
    () => timeoutOf(trace, timeout_ms),
    async (signal) => {
      const target = parseHttpUrl(url);
      if (!target || !schemes.some((scheme) => scheme === target.url.protocol))
        throw new ProbeFailure('blocked_policy', 'not a URL that may be asked');
      const isServer = target.host === server.host && target.port === server.port;
      const refuseDenied = (name: string): void => {
        if (options.isDenied(name)) throw new ProbeFailure('blocked_policy', name);
      };
      if (!isServer) refuseDenied(target.host);
      const dial: Dial = isServer
        ? (_address, limited) => dialler.operatorTcp({ endpoint: server, signal: limited })
        : (address, limited) => dialler.tcp({ address, port: target.port, host: target.host, signal: limited });
      const addresses = isServer
        ? { first: [server.host] }
        : await resolveTargets(target, options, { families: familiesOf(target, 6), signal, onAlias: refuseDenied });
      const chunks: Uint8Array[] = [];
      await exchange({
        ...options,
        requestFields: { ...options.requestFields, 'accept-encoding': 'identity' },
        request: { method, body },
        target,
        trace,
        signal,
        verify: true,
        bodyMaxBytes: maxBytes,
        onBody: (chunk) => void chunks.push(chunk),
        opener: new Opener({ addresses, dial, until }, { trace, clock, signal }),
      });
      if (trace.bodyTruncated) throw new ProbeFailure('too_large', `more than ${maxBytes} bytes`);
      if (contentCodings(trace.head!).length > 0) throw new ProbeFailure('http_protocol', 'a Content-Encoding that was not asked for');
      return { status: trace.head!.status, headers: trace.head!.headers, body: Buffer.concat(chunks) };
    },
  );
}
