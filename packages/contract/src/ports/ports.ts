import type { Socket } from 'node:net';
import type { AddressPolicy, Service } from './address-policy.ts';
import type { DnsAnswer } from '../net/dns.ts';
import type { Reason } from '../words/reasons.ts';

/** Monotonic time in ms, fraction included. Only differences mean anything. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Wall-clock time by which dates of certificates are judged; absent: the machine's own. */
  today?(): Date;
}

/** A server that the operator configured: exempt from the address policy by exact address and port. */
export interface Endpoint {
  address: string;
  port: number;
}

/** Gives back what a `Gate` lent. */
export type Pass = () => void;

/**
 * Stands before whatever leaves for one request: lets it through, at once or when it is its turn, or refuses it with an `ApiError`, which
 * ends the request. Answers from a cache do not pass it.
 */
export interface Gate {
  /**
   * A question about the name is to be sent, to `server` if one is asked directly; the pass is given back when it was answered. `held`: one
   * of our resolvers still has the answer, so no other server is asked.
   */
  question(name: string, signal: AbortSignal | undefined, server?: string, held?: boolean): Pass | Promise<Pass>;
  /** A connection to the address is to be opened; the pass is given back when it was closed. */
  connection(address: string, signal: AbortSignal | undefined): Pass | Promise<Pass>;
  /** Counts these questions, which are to be sent when their turn has come. Without it every question is sent at once. */
  queue?(questions: AskerQuestions): (Queued & { waitMs: number }) | Late;
}

/** Names of questions that pass a `Gate`, by the asker that they are for, such as a blacklist engine. */
type AskerQuestions = ReadonlyMap<string, readonly string[]>;

/** Questions that may be sent when their turn has come. */
interface Queued {
  /** An asker's questions are answered, or will not be sent. To be called for each asker; more calls change nothing. */
  done(asker: string): void;
}

/** Questions that would wait too long. Nothing was counted. */
interface Late {
  /** The askers whose turn is so late. */
  late: readonly string[];
  retry_after_s: number;
}

export interface QueryOptions {
  signal?: AbortSignal;
  /** Asked before the question is sent. */
  gate?: Gate;
  /** Ask for DNSSEC records (DO, RFC 3225). */
  dnssec?: boolean;
  /** Ask the resolver not to validate (CD, RFC 4035 §3.2.2). */
  checkingDisabled?: boolean;
  /** Ask whether or not our cache has an answer. */
  fresh?: boolean;
  /** Send the question although an identical one is under way. */
  unshared?: boolean;
  /** Use the cache alone: `ProbeFailure` dns_timeout where our cache has no answer. */
  cachedOnly?: boolean;
  /** Ask this address (port 53, judged by the address policy) instead of the configured resolvers; recursion is then not desired. */
  server?: string;
  /**
   * Secret labels of the name, such as a client's key, which only the server learns: the gate judges the name without them, and the answer
   * is not kept.
   */
  secret?: string;
  /** The answer is an addition to a result, which is as good without it. */
  addition?: boolean;
}

/** Our DNS engine: one for agents, validators, DNSBLs, everything. */
export interface Resolver {
  /** Any rcode is an answer. Rejects with `ProbeFailure` dns_timeout when no server answered, or with the signal's reason. */
  query(name: string, type: string, options?: QueryOptions): Promise<DnsAnswer>;
  /**
   * The addresses of a host, CNAMEs followed, in the order received. A literal address is returned as it is.
   * Rejects with `ProbeFailure` dns_nxdomain, dns_no_address, dns_servfail or dns_timeout, or with what `onAlias` throws:
   * it is told every name that the host is an alias of. Does not judge them.
   */
  addresses(
    host: string,
    family: 4 | 6,
    options?: Pick<QueryOptions, 'signal' | 'gate'> & { onAlias?(name: string): void },
  ): Promise<string[]>;
  /** The configured resolvers, as `address:port`. */
  readonly servers: readonly string[];
}

/** The DNS budget of one request, so that no victim's servers are hammered for one report. */
export interface DnsBudget {
  /** Distinct questions. */
  questions: number;
  /** How long the request waits for the DNS in all, so that a report can still be made before its deadline. */
  ms: number;
}

/** Why a question has no answer. `budget_spent`: the request may ask no more, or wait no longer. */
export interface Unanswered {
  code: Reason | 'budget_spent';
  /** A sentence for people. */
  error: string;
}

/**
 * One request's share of the DNS. The same question is sent once and its answer shared, so callers may ask again freely. Beyond the
 * budget questions fail with `ProbeFailure` dns_timeout.
 */
export interface BudgetedResolver extends Resolver {
  /** Whether a question to the configured servers went unanswered, or was answered SERVFAIL or REFUSED: by the zone's doing, or by ours. */
  readonly troubled: boolean;
  /** Whether anything was asked of the configured servers, or of what we have from them. */
  readonly used: boolean;
  /** Does what `query` does, with failures of the DNS as data. Rejects with the signal's reason, and with the gate's `ApiError`. */
  ask(name: string, type: string, options?: QueryOptions): Promise<DnsAnswer | Unanswered>;
  /** Waits until all of these questions may be sent. They count in the budget when they are. Rejects with the signal's reason. */
  queue(questions: AskerQuestions, signal: AbortSignal): Promise<Queued | Late>;
  /** A part of the budget with narrower limits of its own; what is asked through it counts in both. Dispose of it when its work ends. */
  share(limits: Partial<DnsBudget>): BudgetedResolver & Disposable;
}

/** Whether a question was answered, whatever the rcode. */
export const isAnswer = (response: DnsAnswer | Unanswered): response is DnsAnswer => 'rcode' in response;

/** One echo request and what came of it. `icmp_seq` counts from 1, as ping(8) prints. */
export interface Echo {
  icmp_seq: number;
  reply?: { rtt_ms: number; ttl: number; bytes: number };
  /** The network said no by ICMP: `icmp_unreachable`'s detail, such as "Destination Host Unreachable" or "Packet filtered". */
  unreachable?: string;
  /** This machine itself did not send it: `no_network`'s detail, an errno's name such as `ENETUNREACH`. */
  unsent?: string;
}

/** Packets about our echoes that did not count as answers. */
export interface EchoStrays {
  /** The echo had its reply already. */
  duplicate: number;
  /** The reply came after its wait. */
  late: number;
  /** A reply of the target with another payload, or one with our payload from another address. */
  wrong: number;
}

/** How echoes are to be, where it is not as ping(8) sends them. */
export interface EchoShape {
  /** Beside the ICMP header, 8 at least: the first ones are the cookie. */
  payload_bytes?: number | undefined;
  /** Hops that an echo may take: TTL, or hop limit. */
  ttl?: number | undefined;
  /** Larger than the path allows, an echo is refused and not cut. */
  dont_fragment?: boolean | undefined;
  /** Echoes of a flow have the same checksum. Counts from 0. */
  flow?: number | undefined;
  /** `dont_fragment`, whatever this machine remembers of the path's MTU. */
  probes_mtu?: boolean | undefined;
}

export interface EchoOptions {
  count: number;
  interval_ms: number;
  /** How long each echo waits for its reply. */
  wait_ms: number;
  signal?: AbortSignal;
  /** Options for an engine with `shapesEchoes` only. */
  shape?: EchoShape | undefined;
  /** Counted up as strays of these echoes come in, by an engine that `countsStrays`. */
  strays?: EchoStrays;
}

/** One packet of a path measurement. */
interface PathPacket {
  protocol: 'icmp' | 'udp' | 'tcp';
  /** The target's port; 0 over ICMP. */
  port: number;
  /** Packets of one flow look alike to routers that share traffic among paths. Counts from 0. */
  flow: number;
  /** Hops that it may take: TTL, or hop limit. */
  ttl: number;
  wait_ms: number;
  /** Size of the whole IP packet, over ICMP: no router may cut it, whatever this machine remembers of the path. Absent: a small one. */
  bytes?: number;
}

/** One label of an MPLS stack, as routers tell it (RFC 4950). */
interface MplsLabel {
  label: number;
  traffic_class: number;
  /** The last of its stack. */
  bottom: boolean;
  ttl: number;
}

/** The answer to a packet. */
interface PathAnswer {
  address: string;
  rtt_ms: number;
  /** Hops left of the answer as it arrived; 0 when not known. */
  ttl: number;
  /** `icmp`: an ICMP error. The others are the target's own: an echo reply, a datagram, the two answers to a SYN. */
  kind: 'icmp' | 'echo_reply' | 'datagram' | 'syn_ack' | 'rst';
  /** Type and code of an ICMP error; 0 for the others. */
  type: number;
  code: number;
  labels: MplsLabel[];
  /** The next hop's MTU, of a router that takes no packet so large: 0 where it does not say. */
  mtu?: number;
}

/** The result of one packet. Neither field: nothing came back in time. `unsent`: this machine did not send it, by an errno's name. */
interface PathOutcome {
  answer?: PathAnswer;
  unsent?: string;
  /** Beside EMSGSIZE: the MTU of this machine's interface; 0 when not known. */
  interface_mtu?: number;
}

/** Sends packets whose answers tell a path. No machine sends more than 500 a second for all its traces together. */
interface PathTracer {
  /**
   * Resolves when the packet has left, as soon as it is its turn; its outcome follows. The address is canonical text and already judged.
   * Rejects with the signal's reason.
   */
  send(address: string, packet: PathPacket, signal: AbortSignal): Promise<{ outcome: Promise<PathOutcome> }>;
}

/** Sends ICMP echo requests from this machine. */
export interface IcmpEngine {
  readonly name: 'kernel' | 'net-ping';
  /** The engine's own share of a round trip to 127.0.0.1, calibrated at the start. */
  readonly overhead_ms: number;
  readonly v4: boolean;
  readonly v6: boolean;
  /** Whether it tells what comes in beside the answers. */
  readonly countsStrays: boolean;
  /** Whether it sends echoes of any shape. */
  readonly shapesEchoes: boolean;
  /** Undefined where it cannot tell who answered a packet. */
  readonly paths?: PathTracer | undefined;
  /**
   * Yields one `Echo` per request, in order, each when its reply came, was refused, or its wait ended. Requests leave at
   * 0, interval, 2 × interval …, whatever comes back. The address is canonical text and already judged.
   */
  echoes(address: string, options: EchoOptions): AsyncIterable<Echo>;
  close(): void | Promise<void>;
}

/** Opens connections. Every address passes the policy here, before and after the connect; nothing else in the project opens sockets. */
export interface Dialler {
  readonly policy: AddressPolicy;
  /**
   * Connects to a judged address; `beyond` is a target that is reached through it, as behind a proxy, and counts as contacted, too. Rejects
   * with `ProbeFailure`: blocked_private_address, connect_refused, connect_timeout, connect_unreachable, no_network, cancelled.
   */
  tcp(
    options: {
      address: string;
      port: number;
      host?: string;
      service?: Service;
      beyond?: string;
      /** A refusal by ICMP is connect_unreachable, in the words of its code and with its sender. */
      tellsIcmp?: boolean;
      signal: AbortSignal;
    } & LocalBinding,
  ): Promise<Socket>;
  /**
   * Connects to what the operator configured (an exit, a resolver asked through it), by exact host and port. A literal address is exempt from the policy;
   * a name is resolved though it may be an inner one, and what it resolves to is judged. `beyond` is the target that a request reaches through it,
   * by its address or by a name that has none, and counts as contacted. Rejects as `tcp` does, and with dns_….
   */
  operatorTcp(
    options: { endpoint: ExitEndpoint; beyond?: { address: string; port: number; host?: string }; signal: AbortSignal } & LocalBinding,
  ): Promise<Socket>;
}

/** The local address or interface that a connection leaves by, in place of the routes. */
interface LocalBinding {
  localAddress?: string;
  /** Leave through this interface only, whatever the routes say. */
  device?: string;
}

/**
 * Keeps the fleet from being a weapon: budgets per target at this location, across all keys. Each throws `ProbeFailure` target_limited.
 * `host` is what was resolved to the address, where a name was; the operator's own targets are spared.
 */
export interface TargetLimits {
  /** Takes `count` echoes from the budgets of the address and its prefix. */
  echoes(address: string, count: number, host?: string): void;
  /** Takes `count` packets of a trace from its own budgets of the address and its prefix. */
  trace(address: string, count: number, host?: string): void;
  /** Takes `count` ports of a scan from its own budgets of the address and its prefix. */
  scan(address: string, count: number, host?: string): void;
  /** Takes one request from the budgets of the host, its domain, the address and its prefix, and holds a slot of host and address until released. */
  http(address: string, host?: string): () => void;
  /** Takes `count` queries from the zone's budget, and from that of the server where one is asked directly. */
  dns(name: string, count: number, server?: { address: string; host: string }): void;
}

/** One question: whether a pattern is in any of some texts. */
export interface PatternTest {
  /** The result of `fromRe2`. */
  pattern: RegExp;
  texts: readonly string[];
}

/** Looks for patterns of a spec in texts of strangers: who has both in hand could make them take years. */
export interface Patterns {
  /** The answers, in order; undefined where they took too long. Rejects with the signal's reason. */
  match(tests: readonly PatternTest[], signal: AbortSignal): Promise<boolean[] | undefined>;
  /** The first match of a pattern in a text and its groups, as `exec` has them; null without a match, undefined where it took too long. */
  groups(pattern: RegExp, text: string, signal: AbortSignal): Promise<readonly (string | undefined)[] | null | undefined>;
}

/** Where the operator's proxy is, by name or address. */
export interface ExitEndpoint {
  host: string;
  port: number;
}

/** An exit of vpn-test in use. A fault of the exit itself rejects with `ExitFailure`. */
export interface Exit {
  /** The exit as configured, without credentials: safe to show to an operator. */
  readonly label: string;
  /** The result of its last check; undefined before the first. */
  readonly works: boolean | undefined;
  /** Knows names as they are seen from the exit: asks public resolvers, through it and no other way. */
  readonly resolver: Pick<Resolver, 'addresses'>;
  /** Resolves when the exit carries a question to a public resolver and its answer back, as it just did or does now. */
  check(signal: AbortSignal): Promise<void>;
  /** Resolves when the exit passed a check a moment ago, or passes one now; rejects at once while the last one failed. */
  ready(signal: AbortSignal): Promise<void>;
  /** Connects to an address that is judged here, and never by its name. Rejects with `ProbeFailure` when the target is at fault. */
  tcp(options: { address: string; port: number; signal: AbortSignal }): Promise<Socket>;
}
