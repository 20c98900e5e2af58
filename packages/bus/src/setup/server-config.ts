import type { TlsFiles } from './permissions.ts';

/** Where a nats-server listens. */
export interface Listening {
  host: string;
  port: number;
  tls: TlsFiles | undefined;
}

const TEXT = String.raw`("(?:[^"\\]|\\.)*")`;
const TLS = new RegExp(String.raw`^tls: \{ cert_file: ${TEXT}, key_file: ${TEXT} \}$`, 'm');

/**
 * Where the server of a configuration of ours listens. Throws `Error` if that line is not as we wrote it and the caller does not set it: a
 * guess might open the bus to all hosts.
 */
export function readListening(config: string, requested: { host?: string; port?: number; tls?: unknown }): Listening {
  const found = (pattern: RegExp, wanted: unknown, flags: string): string => {
    const [, value] = pattern.exec(config) ?? [];
    if (value === undefined && wanted === undefined)
      throw new Error(`nats-server.conf was changed by hand, so that it is not known what to keep: say ${flags}`);
    return value ?? '';
  };
  const host = found(/^host[ \t:=]+"?([^"\s#]+)/m, requested.host, '--host');
  const port = Number(found(/^port[ \t:=]+(\d+)/m, requested.port, '--port'));
  const [, certFile, keyFile] = TLS.exec(config) ?? [];
  if (certFile !== undefined && keyFile !== undefined)
    return { host, port, tls: { certFile: String(JSON.parse(certFile)), keyFile: String(JSON.parse(keyFile)) } };
  if (/^[ \t]*tls\b/m.test(config)) found(TLS, requested.tls, '--tls-cert and --tls-key, or --no-tls');
  return { host, port, tls: undefined };
}

const USER = /\bnkey: (U[A-Z2-7]{55})\b/;

/** Lines that were removed from a configuration (`- …`) or added (`+ …`). A key is told by the name of its file, its rights are not. */
export function changedLines(before: string, after: string, names: ReadonlyMap<string, string>): string[] {
  const linesOf = (text: string): Map<string, string> =>
    new Map(
      text.split('\n').flatMap((line): [string, string][] => {
        const shown = line.trim();
        const [, key] = USER.exec(shown) ?? [];
        if (key !== undefined) return [[shown, names.get(key) ?? `${key}, whose files are gone`]];
        return shown === '' || shown.startsWith('#') ? [] : [[shown, shown]];
      }),
    );
  const [old, now] = [linesOf(before), linesOf(after)];
  const only = (lines: Map<string, string>, others: Map<string, string>, sign: string): string[] =>
    [...lines].filter(([line]) => !others.has(line)).map(([, shown]) => `${sign} ${shown}`);
  return [...only(old, now, '-'), ...only(now, old, '+')];
}
