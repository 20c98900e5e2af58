/** Kept by the gateway for merging and writing the answer. */
const GATEWAY_MARGIN_MS = 150;
/** Kept for the agent's event loop, beside the way there and back. */
const AGENT_MARGIN_MS = 250;
/** Small budgets give away shares instead. */
const GATEWAY_SHARE = 0.1;
const AGENT_SHARE = 0.25;

/**
 * Deadlines nest: client > gateway > agent, so that an agent reports its own timeout, with what it measured, before the
 * gateway gives up, and the gateway answers before the client does. Whole ms; strictly nested from 4 ms on, and a larger
 * budget never gives anyone less.
 */
export const gatewayBudget = (clientMs: number): number =>
  Math.max(1, Math.floor(clientMs - Math.min(GATEWAY_MARGIN_MS, clientMs * GATEWAY_SHARE)));

/** `transportMs` is how long a job takes to the agent and back: the smoothed time from dispatch to ack. */
export const agentBudget = (gatewayMs: number, transportMs: number): number =>
  Math.max(1, Math.floor(gatewayMs - Math.min(AGENT_MARGIN_MS + transportMs, gatewayMs * AGENT_SHARE)));
