import { ApiError } from '@vedette/contract';
import { exampleOf, type Operation } from '@vedette/operations/kit';
import { Type } from 'typebox';
import { bulkLine, bulkRequest, MAX_ITEMS } from '../bulk/schemas.ts';
import { errorBody } from '../door/error-handler.ts';
import { errorResponses, header, IDEMPOTENCY_KEY, priceOf, reportSchemas, STATUS_TITLES, typeName } from './common.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { tagOf } from './tags.ts';

/** The same operation about many items. */
export function describeBulk(operation: Operation, named: NamedSchemas): object {
  const { name, subject, summary, cost, examples, bulk } = operation;
  const { [bulk!]: first, ...options } = Object.fromEntries(Object.entries(examples[0] ?? {}));
  const { report } = reportSchemas(operation, named);
  const example = exampleOf(name);
  const error = errorBody(new ApiError('invalid_parameter', bulk, { param: 'items[1]' }));
  const price = typeof cost === 'number' ? cost : cost.base;
  const lines = {
    ...(example && { report: { value: { index: 0, status: 200, cost: price, report: example.report } } }),
    error: { value: { index: 1, status: 400, cost: 0, ...error } },
  };
  return {
    operationId: `${name}-bulk`,
    tags: [tagOf(subject)],
    summary: `${summary}: up to ${MAX_ITEMS} at once`,
    description: `Answers with one line of JSON for each item, as soon as the item is done. \`index\` says which item a line is about. ${priceOf(operation).replace(/^Costs ([^;.]*)/, 'Costs $1 for each item')} Only items with status 200 cost credits. The credits of all items are reserved before the first begins, and the request is refused if they do not suffice. docs/bulk.md has the details.`,
    'x-credits': price,
    parameters: [IDEMPOTENCY_KEY],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: named.refer(bulkRequest(operation)!),
          examples: { example1: { value: { items: [first], ...options } } },
        },
      },
    },
    responses: {
      200: {
        description: 'One line for each item, in the order in which they end',
        headers: {
          'X-Request-Id': header("Request id, as in the service's logs", 'c7a4…'),
          'X-Service-Quota': header(
            'Credits of the account while those of all items are reserved; `cost` is what all items cost together',
            'limit=10000, remaining=9500, reset=1767225600, cost=500',
          ),
        },
        content: {
          'application/x-ndjson': {
            // Of one line: OpenAPI 3.1 cannot describe a sequence.
            schema: named.refer({ ...bulkLine(Type.Unsafe(report)), title: `${typeName(name)}Line` }),
            examples: lines,
          },
        },
      },
      ...errorResponses(Object.keys(STATUS_TITLES)),
    },
  };
}
