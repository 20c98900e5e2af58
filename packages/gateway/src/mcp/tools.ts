import { ApiError } from '@vedette/contract';
import type { Operation } from '@vedette/operations/kit';
import type { Account } from '@vedette/ledger';
import type { Tool } from '@modelcontextprotocol/server';
import { priceOf } from '../api-description/common.ts';
import { CLOSED_BY, type ClosedBy, closedBy } from '../door/closed-by.ts';
import type { Callable } from '../request/service.ts';

/** An operation as a tool: a client is shown `definition`, and has its calls prepared and answered as requests of the API. */
export interface McpTool {
  operation: Operation;
  definition: Tool;
  prepare: Callable['prepare'];
  reportSchema: Callable['reportSchema'];
}

/** No operation changes what it asks about; asked again, it may answer otherwise, and costs again. */
const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true };

/** There is no output schema: those of all operations are five times as long as the rest of the list, which clients give to a model whole. */
export const toolOf = ({ operation, request, reportSchema, prepare }: Callable): McpTool => ({
  operation,
  definition: {
    name: operation.name,
    title: operation.summary,
    description: descriptionOf(operation),
    // TypeBox keeps marks on schemas that do not belong to their text.
    inputSchema: JSON.parse(JSON.stringify(request)),
    annotations: ANNOTATIONS,
  },
  prepare,
  reportSchema,
});

/** Clients give up sooner than some operations do. */
const LONG_MS = 15_000;

function descriptionOf(operation: Operation): string {
  const { summary, deadline_ms: deadlineMs } = operation;
  const time = deadlineMs > LONG_MS ? ` Takes up to ${deadlineMs / 1000} s.` : '';
  return `${summary}. ${priceOf(operation)}${time}`;
}

/** The tools that a list of names and groups selects: `ping-test,dns`; all without a list. Throws `ApiError` invalid_parameter. */
export function selectTools(tools: ReadonlyMap<string, McpTool>, list: string | undefined): ReadonlyMap<string, McpTool> {
  if (list === undefined) return tools;
  const words = list.split(',', tools.size).map((word) => word.trim());
  const selected = new Set<McpTool>();
  for (const word of words) {
    const found = [...tools.values()].filter(({ operation: { name, subject } }) => word === name || word === subject);
    if (found.length === 0)
      throw new ApiError('invalid_parameter', 'it takes names of operations and groups, separated by commas', { param: TOOLS_HEADER });
    for (const tool of found) selected.add(tool);
  }
  return new Map([...tools].filter(([, tool]) => selected.has(tool)));
}

const REASONS: Readonly<Record<ClosedBy, string>> = {
  key: 'the API key is restricted to others',
  role: 'the role is too low',
  plan: 'the plan of the account does not include them',
};

/** The tools that a client may use, and a sentence about the others; empty without. */
export function openTo(account: Account, tools: ReadonlyMap<string, McpTool>): { listed: McpTool[]; others: string } {
  const groups = Object.groupBy(tools.values(), ({ operation }) => closedBy(account, operation) ?? 'open');
  const others = CLOSED_BY.flatMap((by) => (groups[by] ? [`${groups[by].length}, since ${REASONS[by]}`] : []));
  return { listed: groups.open ?? [], others: others.length === 0 ? '' : ` Tools that are not listed: ${others.join('; ')}.` };
}

/** Selects the tools of a client. */
export const TOOLS_HEADER = 'vedette-tools';
