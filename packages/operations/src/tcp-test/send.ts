import { ApiError } from '@vedette/contract';
import { SEND_MAX_OCTETS } from '@vedette/probes/tcp';

/**
 * One line of printable text, and the ends of lines behind it: a question that a server answers, and no dialogue. Mail needs several commands, and
 * so do spam over IRC, a body of HTTP, and a request through a proxy.
 */
const ONE_LINE = /^[\t -~]+(?:\r?\n){0,2}$/;
/** Commands that alone change something, of HTTP and of what takes orders from everyone. */
const ORDERS = /^\s*(?:post|put|patch|delete|connect|mail\s+from|rcpt\s+to|send\s+from|flush|shutdown|kill|drop)/i;

/** Ports whose servers take orders from whoever connects, or print what they are sent. Nothing of a client's is said to them. */
const SILENT_PORTS: readonly (readonly [first: number, last: number, what: string])[] = [
  [23, 23, 'telnet'],
  [25, 25, 'mail'],
  [465, 465, 'mail'],
  [512, 515, 'remote shells and printers'],
  [587, 587, 'mail'],
  [2_181, 2_181, 'ZooKeeper'],
  [2_323, 2_323, 'telnet'],
  [2_375, 2_376, 'Docker'],
  [2_525, 2_525, 'mail'],
  [5_555, 5_555, 'remote shells'],
  [6_379, 6_380, 'Redis'],
  [8_005, 8_005, 'Tomcat'],
  [9_100, 9_107, 'printers'],
  [11_211, 11_211, 'Memcached'],
];
/** Printers print a ClientHello too. */
const PRINTERS: readonly (readonly [first: number, last: number])[] = [
  [515, 515],
  [9_100, 9_107],
];

const within = (port: number) => (range: readonly [number, number, ...unknown[]]) => port >= range[0] && port <= range[1];

/** The octets of `send`, in base64. Throws `ApiError` invalid_parameter for what could harm the server, or others through it. */
export function sendable(text: string, port: number): string {
  const refuse = (why: string): never => {
    throw new ApiError('invalid_parameter', `send ${why}`, { param: 'send' });
  };
  const [, , what] = SILENT_PORTS.find(within(port)) ?? [];
  if (what !== undefined) refuse(`is refused to port ${port} (${what})`);
  if (Buffer.byteLength(text) > SEND_MAX_OCTETS) refuse(`has more than ${SEND_MAX_OCTETS} octets`);
  if (!ONE_LINE.test(text)) refuse('must be one line of printable ASCII, with at most two ends of line behind it');
  if (ORDERS.test(text)) refuse('is a command that changes something, or begins a message');
  return Buffer.from(text, 'latin1').toString('base64');
}

/** Throws `ApiError` invalid_parameter for a port whose servers take everything for an order. */
export function refuseTls(port: number, param: 'tls' | 'starttls' | 'port'): void {
  if (PRINTERS.some(within(port)))
    throw new ApiError('invalid_parameter', `${param === 'port' ? 'TLS' : param} is refused to port ${port}: printers print it`, { param });
}
